// Owns how a browser is known while somebody signs in with it: one cookie with 256 random bits, never
// given by whoever opened the page, renewed once somebody has proven who they are; and how a form
// of ours is told from one that another site sends. Pure. Security H04, U06.

import type { PageCall } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { hashBearer, isSameHash } from '../../kernel/identifiers.ts'
import type { Randomness } from '../../kernel/randomness.ts'

export interface Browser {
  /** What the cookie holds. Stored as its hash only. */
  readonly secret: string
  /** Present when the answer has to set the cookie. */
  readonly setCookie?: string
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The prefix makes browsers refuse a cookie that another host of the domain has set. */
const cookieName = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? '__Host-chartside' : 'chartside'

export function createPreAuthSession(baseUrl: string, randomness: Randomness): Browser {
  const secret = randomness.bytes(32).toString('base64url')
  // Lax: the return from an identity provider comes from another site.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`
  return { secret, setCookie: `${cookieName(baseUrl)}=${secret}; ${attributes}` }
}

export function findPreAuthSession(baseUrl: string, cookies: string): Browser | undefined {
  const name = `${cookieName(baseUrl)}=`
  const sent = cookies.split('; ').filter((cookie) => cookie.startsWith(name))
  const secret = sent[0]?.slice(name.length) ?? ''
  return sent.length === 1 && SECRET.test(secret) ? { secret } : undefined
}

/** What the forms of this browser carry; another site can neither read nor make it. */
export const formTokenOf = ({ secret }: Browser): string => hashBearer(`form ${secret}`)

/**
 * A value that only this browser can come back with, for one step and one use of it: the challenge of
 * a passkey, a nonce, a PKCE verifier. Made anew when needed, so none of them is stored.
 */
export const deriveFor = (
  { secret }: Browser,
  stepId: string,
  use: 'passkey' | 'nonce' | 'verifier',
): string => hashBearer(`${use} ${stepId} ${secret}`)

/** The browser that sends a form of ours. @throws ApiError when another site may have sent it. */
export function verifyCsrf(baseUrl: string, call: PageCall): Browser {
  const browser = findPreAuthSession(baseUrl, call.cookies)
  const isOurs =
    browser !== undefined && isSameHash(call.fields.form_token ?? '', formTokenOf(browser))
  if (call.isCrossSite || !isOurs) {
    throw new ApiError(
      'invalid_request',
      'This form did not come from a page that this browser has opened here, or cookies are switched off.',
    )
  }
  return browser
}

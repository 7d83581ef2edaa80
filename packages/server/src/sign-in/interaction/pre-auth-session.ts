// The pre-authentication session of a browser that signs in: a cookie of 256 random bits that only the
// server makes, and renews once the person is authenticated; and the CSRF check of the forms that
// belong to it. Pure. Security H04, U06.

import type { HasConfig } from '../../config/config.ts'
import type { PageCall } from '../../http/call.ts'
import { cookieNameOf } from '../../http/cookie-name.ts'
import { ApiError } from '../../kernel/errors.ts'
import { hashBearer, isSameHash } from '../../kernel/identifiers.ts'
import type { HasRandomness, Randomness } from '../../kernel/randomness.ts'

export interface PreAuthSession {
  /** The value of the cookie. It is stored only as its hash. */
  readonly secret: string
  /** The reply must set this cookie, when there is one. */
  readonly setCookie?: string
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

const cookieName = (baseUrl: string) => cookieNameOf(baseUrl, 'chartside')

export function createPreAuthSession(baseUrl: string, randomness: Randomness): PreAuthSession {
  const secret = randomness.bytes(32).toString('base64url')
  // Lax: the return from an identity provider comes from another site.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`
  return { secret, setCookie: `${cookieName(baseUrl)}=${secret}; ${attributes}` }
}

export function findPreAuthSession(baseUrl: string, cookies: string): PreAuthSession | undefined {
  const name = `${cookieName(baseUrl)}=`
  const sent = cookies.split('; ').filter((cookie) => cookie.startsWith(name))
  const secret = sent[0]?.slice(name.length) ?? ''
  return sent.length === 1 && SECRET.test(secret) ? { secret } : undefined
}

/** The session of this browser; a new one when the browser has none. */
export const openPreAuthSession = (
  { config, randomness }: HasConfig & HasRandomness,
  cookies: string,
): PreAuthSession =>
  findPreAuthSession(config.baseUrl, cookies) ?? createPreAuthSession(config.baseUrl, randomness)

/** The CSRF token in the forms of this session; another site can neither read nor make it. */
export const formTokenOf = ({ secret }: PreAuthSession): string => hashBearer(`form ${secret}`)

/**
 * A value for one use in one interaction of this session: a passkey challenge, a nonce, a PKCE
 * verifier. It is derived again when needed, so none of them is stored.
 */
export const deriveFor = (
  { secret }: PreAuthSession,
  interactionId: string,
  use: 'passkey' | 'nonce' | 'verifier',
): string => hashBearer(`${use} ${interactionId} ${secret}`)

/** The session that this form belongs to. @throws ApiError when another site may have sent it */
export function verifyCsrf(baseUrl: string, call: PageCall): PreAuthSession {
  const session = findPreAuthSession(baseUrl, call.cookies)
  const hasToken =
    session !== undefined && isSameHash(call.fields.form_token ?? '', formTokenOf(session))
  if (call.isCrossSite || !hasToken) {
    throw new ApiError(
      'invalid_request',
      'This form did not come from a page that this browser has opened here, or cookies are switched off.',
    )
  }
  return session
}

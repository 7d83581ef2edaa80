// The cookie in which a browser on this origin holds the session token of the console, and when it
// counts: never beside a bearer token, never for a request that another origin may have caused, and
// for a change only when the browser says that the own origin sent it. Pure. Contract §4,
// security H04, U06.
import type { Method } from '../http/call.ts'
import { cookieNameOf } from '../http/cookie-name.ts'

const cookieName = (baseUrl: string) => cookieNameOf(baseUrl, 'chartside-session')

/** The cookie is strict: no request that another site begins carries it. */
const attributes = (baseUrl: string) =>
  `Path=/; HttpOnly; SameSite=Strict${baseUrl.startsWith('https:') ? '; Secure' : ''}`

/** The cookie has no expiry: it ends with the browser, and the sign-in ends earlier by itself. */
export const buildSessionCookie = (baseUrl: string, token: string): string =>
  `${cookieName(baseUrl)}=${token}; ${attributes(baseUrl)}`

export const buildClearedCookie = (baseUrl: string): string =>
  `${cookieName(baseUrl)}=; ${attributes(baseUrl)}; Max-Age=0`

/** The session token in the Cookie header; of two cookies with the name none is chosen. */
export function findCookieToken(baseUrl: string, cookies: string | undefined): string | undefined {
  const name = `${cookieName(baseUrl)}=`
  const sent = (cookies ?? '').split('; ').filter((cookie) => cookie.startsWith(name))
  return sent.length === 1 ? sent[0]?.slice(name.length) : undefined
}

export interface CookieRequest {
  readonly method: Method | string
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
}

/** Whether a page of this origin sent the request, or a person opened its address. */
export function isOfOwnOrigin(
  baseUrl: string,
  { method, origin, fetchSite }: CookieRequest,
): boolean {
  const own = new URL(baseUrl).origin
  if (origin !== undefined && origin !== own) return false
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead) return fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none'
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  return origin === own
}

// The cookies of this app: one per launch, httpOnly, usable inside the panel. Owns their names and
// attributes; other files make their values. Spec §5.6; security H04.
import { hash } from 'node:crypto'
import type { Request, Response } from 'express'

/** The kind of a cookie. `launch` has state, nonce and verifier of a callback, `session` the app's own session. */
export type CookieKind = 'launch' | 'session'

/** Two practices may be open in two tabs of one browser. */
const cookieName = (kind: CookieKind, launchId: string): string =>
  `__Host-growth-chart-${kind}-${hash('sha256', launchId).slice(0, 12)}`

/** Inside the panel the app is a third party; Partitioned keeps its cookies to this EHR. */
export function setCookie(
  response: Response,
  kind: CookieKind,
  launchId: string,
  value: string,
  maxAgeSeconds: number,
): void {
  response.cookie(cookieName(kind, launchId), value, {
    maxAge: maxAgeSeconds * 1000,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    partitioned: true,
  })
}

export const clearCookie = (response: Response, kind: CookieKind, launchId: string): void =>
  setCookie(response, kind, launchId, '', 0)

/** Reads the cookie; empty when there is none. */
export function readCookie(request: Request, kind: CookieKind, launchId: string): string {
  const prefix = `${cookieName(kind, launchId)}=`
  const pairs = (request.get('cookie') ?? '').split(/;\s*/)
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? ''
}

// Which pages may call the app's own endpoints: those of the same origin, and those the app lists.
// Trusts only what a page cannot set: Sec-Fetch-Site and Origin are written by the browser.
// Fetch standard; W3C Fetch Metadata.

/** `caller` is `none` when no browser page stands behind the request. */
export type CallerOrigin = 'same' | 'listed' | 'none' | 'foreign'

export function decideCallerOrigin(request: Request, listed: readonly string[]): CallerOrigin {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null && site === null) return 'none'
  if (origin !== null && listed.includes(origin)) return 'listed'
  // Behind a proxy the address that this server sees may not be the one in the browser.
  if (site !== null) return site === 'same-origin' ? 'same' : 'foreign'
  return origin === new URL(request.url).origin ? 'same' : 'foreign'
}

/** What lets a listed page of another origin read an answer; nothing for everybody else. */
export function corsHeaders(request: Request, listed: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || !listed.includes(origin)) return {}
  return { 'access-control-allow-origin': origin, vary: 'origin' }
}

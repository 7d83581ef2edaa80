// Decides which pages may call the app's own endpoints: those of its origin and those it lists.
// Trusts only headers that a page cannot set: the browser writes Sec-Fetch-Site and Origin. Fetch
// standard; W3C Fetch Metadata.

/** The relation of a caller to this server: `none` when the request is not from a browser page. */
export type CallerOrigin = 'same' | 'listed' | 'none' | 'foreign'

export function decideCallerOrigin(request: Request, listed: readonly string[]): CallerOrigin {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null && site === null) return 'none'
  if (origin !== null && listed.includes(origin)) return 'listed'
  // Behind a proxy the address at this server may differ from the one in the browser.
  if (site !== null) return site === 'same-origin' ? 'same' : 'foreign'
  return origin === new URL(request.url).origin ? 'same' : 'foreign'
}

/** Returns the CORS headers for a listed page of another origin; none for other callers. */
export function corsHeaders(request: Request, listed: readonly string[]): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null || !listed.includes(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-trace-id',
    vary: 'origin',
  }
}

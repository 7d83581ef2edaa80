// The browser's part of a request, for tests: resolves the host name, sends the page's origin,
// keeps cookies. Does not follow redirects.

export type Send = (
  address: string,
  /** The body is sent as JSON; a text is sent unchanged. */
  body?: object | string,
  /** The headers beside the browser's own; an empty value removes one. */
  headers?: Readonly<Record<string, string>>,
  /** Default: POST with a body, GET without. */
  method?: string,
) => Promise<Response>

/** Brings a request to a server; never follows a redirect. */
type Deliver = (request: Request) => Promise<Response>

/**
 * Creates a browser for tests of servers: it sends the page's origin and keeps cookies. `ports` has the local
 * port of each origin; the first origin is that of relative addresses. `jar` has the cookies by name. It
 * never follows redirects. Never throws itself; a request rejects as `fetch` does.
 * @example const send = createBrowser({ 'http://app.chartside.localhost': port })
 */
export function createBrowser(
  ports: Readonly<Record<string, number>>,
  jar = new Map<string, string>(),
): Send {
  const [home = ''] = Object.keys(ports)
  return keepCookies(home, jar, (request) => {
    const { origin, pathname, search } = new URL(request.url)
    const port = ports[origin]
    if (port === undefined) return fetch(request)
    return fetch(new Request(`http://127.0.0.1:${port}${pathname}${search}`, request))
  })
}

/** The cookies of one browser around whatever answers its requests. */
export function keepCookies(home: string, jar: Map<string, string>, deliver: Deliver): Send {
  return async (address, body, extra = {}, method = body === undefined ? 'GET' : 'POST') => {
    const url = new URL(address, home)
    const headers = new Headers({
      origin: url.origin,
      cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
    for (const [name, value] of Object.entries(extra)) {
      if (value === '') headers.delete(name)
      else headers.set(name, value)
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = { method, headers, redirect: 'manual' as const }
    const response = await deliver(
      new Request(url, text === undefined ? init : { ...init, body: text }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
}

export interface StartedSession {
  readonly session: { readonly id: string; readonly token: string }
}

export interface ErrorBody {
  readonly error: string
  readonly cause: string
  readonly fix: string
}

/**
 * Reads the JSON of a response.
 * @throws SyntaxError when the body is not JSON
 * @example const { error } = await json<ErrorBody>(await send('/api/me'))
 */
export const json = async <Body>(response: Response): Promise<Body> =>
  (await response.json()) as Body

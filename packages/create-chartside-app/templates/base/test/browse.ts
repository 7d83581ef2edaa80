// A browser's part of a request, for tests: finds the host, sends the page's origin, keeps cookies.
// Follows no redirect by itself.

/** `ports`: where the origins that the app knows listen here; the first is that of relative addresses. */
export function browse(ports: Readonly<Record<string, number>>) {
  const jar = new Map<string, string>()
  const [home = ''] = Object.keys(ports)
  return async (address: string, body?: object, headers = {}): Promise<Response> => {
    const url = new URL(address, home)
    const { origin, pathname, search } = url
    const port = ports[origin]
    const local = port === undefined ? url : `http://127.0.0.1:${port}${pathname}${search}`
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(local, {
      ...init,
      headers: {
        origin,
        cookie,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return response
  }
}

export interface Started {
  readonly session: { readonly id: string; readonly token: string }
}

export interface Refused {
  readonly error: string
  readonly cause: string
  readonly fix: string
}

export const json = async <Body>(response: Response): Promise<Body> =>
  (await response.json()) as Body

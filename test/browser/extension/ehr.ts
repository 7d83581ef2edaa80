// What stands around the extension in its browser tests: an EHR page that knows nothing of Chartside, the
// collection that names it, and the service as a person calls it. Asserts only that a call worked.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SAMPLE_PASSWORD } from '@chartside/server/sample-data'

export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is checked by the story tests
  call(method: string, path: string, body?: object): Promise<any>
}

export interface BareEhr {
  readonly port: number
  /** The address of a chart in the EHR of this name. */
  url(host: 'meadow' | 'summit' | 'other' | 'observed', path?: string): string
  stop(): Promise<void>
}

/** A page of an EHR that knows nothing of Chartside, with a strict policy of its own. */
const answerChart: RequestListener = (request, response) => {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'unsafe-inline'; frame-src 'none'; style-src 'unsafe-inline'",
  })
  response.end(`<!doctype html><title>Chart</title><h1>${request.headers.host}</h1>
      <p>${request.url?.replace(/[<&]/g, '')}</p><input aria-label="Note">`)
}

export async function startEhr(answer: RequestListener = answerChart): Promise<BareEhr> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (host, path = '/chart/1') => `http://${host}.ehr.localhost:${port}${path}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface Published {
  /** The path pattern of the charts of each EHR type. */
  readonly paths?: Readonly<Record<string, string>>
  /** Names of apps that do not open by themselves. */
  readonly chosen?: readonly string[]
  /** The pattern of the charts of each EHR type, from its path on; further types are added. */
  readonly charts?: Readonly<Record<string, string>>
  /** Types whose chart changes are only recorded. */
  readonly observed?: readonly string[]
}

/** The EHRs of the sample collection are in other places here. One pattern is bad for the browser. */
export async function publishEhrs(
  api: Api,
  { port }: BareEhr,
  { paths = {}, chosen = [], charts = {}, observed = [] }: Published,
): Promise<void> {
  const { items: known } = await api.call('GET', '/api/apps?limit=100')
  const isChosen = (id: string) =>
    known.some((app: { id: string; name: string }) => app.id === id && chosen.includes(app.name))
  const { items } = await api.call('GET', '/api/collections?limit=100')
  const [collection] = items
  const path = `/api/collections/${collection.id}`
  const { draft } = await api.call('GET', path)
  const named = new Map<string, string>(
    draft.ehrs.map(({ ehrType, name }: { ehrType: string; name: string }) => [ehrType, name]),
  )
  const ehrs = [...new Set([...named.keys(), ...Object.keys(charts)])].map((ehrType) => {
    const origin = `http://${ehrType}.ehr.localhost:${port}`
    const pattern = charts[ehrType]
    return {
      ehrType,
      name: named.get(ehrType) ?? ehrType,
      matches: [`${origin}${paths[ehrType] ?? '/chart/*'}`],
      ...(pattern === undefined ? {} : { charts: [origin + pattern] }),
      ...(observed.includes(ehrType) ? { chartMode: 'observe' } : {}),
    }
  })
  const apps = draft.apps.map((app: { appId: string }) => ({
    ...app,
    autoLaunch: !isChosen(app.appId),
  }))
  await api.call('PATCH', path, { draft: { ehrs, apps } })
  await api.call('POST', `${path}/versions`, { notes: 'EHRs of the test' })
}

export async function signInToApi(
  base: string,
  email: string,
  password: string = SAMPLE_PASSWORD,
): Promise<Api> {
  const send = async (method: string, path: string, token: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const credentials = { email, password }
  const { token } = (await send('POST', '/auth/sign-in', '', credentials)) as { token: string }
  return { call: (method, path, body) => send(method, path, token, body) }
}

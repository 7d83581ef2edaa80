// What the tests of Growth Chart run on: the app on a free port, beside a fake service. Loopback
// only. Plays the browser from the Launch URL to the callback.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp } from '../src/app.ts'

const ORIGIN = 'http://growth-chart.localhost:4707'

export async function startFixture(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [`${ORIGIN}/callback`] })
  t.after(() => issuer.stop())
  const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const client = { baseUrl, tokenUrl, clientId, clientSecret }
  const address = { host: '127.0.0.1', port: 0, publicUrl: ORIGIN }
  const app = createApp({ ...client, ...address, frameAncestors: [] }, log)
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init })

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  /** `query`: the query of the callback, which its page sends. */
  const finish = (query: Record<string, string>, cookie = ''): Promise<Response> =>
    post('/exchange', { query: new URLSearchParams(query).toString() }, { cookie })

  /** The browser's part from the Launch URL to the callback. */
  const launch = async () => {
    const { launchId } = issuer.mintLaunch()
    const begun = await send(`/launch?launch_id=${launchId}`)
    const authorized = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
    const { searchParams } = new URL(authorized.headers.get('location') ?? '')
    return { launchId, query: Object.fromEntries(searchParams), cookie: cookiesOf(begun) }
  }
  return { issuer, lines, send, post, finish, launch }
}

/** As the browser sends them. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

// What the tests of Growth Chart start: the app on a free port, beside a service that does what it is
// told. Loopback only.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp } from '../src/app.ts'

const ORIGIN = 'http://growth-chart.localhost:4707'

export async function startStage(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [`${ORIGIN}/callback`] })
  t.after(() => issuer.stop())
  const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const client = { baseUrl, tokenUrl, clientId, clientSecret }
  const app = createApp({ ...client, publicUrl: ORIGIN, frameAncestors: [], log })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init })

  /** `query`: what the callback's page hands over. */
  const finish = (query: Record<string, string>, cookie = ''): Promise<Response> =>
    send('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ query: new URLSearchParams(query).toString() }),
    })

  /** What the browser does from the Launch URL to the callback. */
  const launch = async () => {
    const { launchId } = issuer.mintLaunch()
    const begun = await send(`/launch?launch_id=${launchId}`)
    const authorized = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
    const { searchParams } = new URL(authorized.headers.get('location') ?? '')
    return { launchId, query: Object.fromEntries(searchParams), cookie: cookiesOf(begun) }
  }
  return { issuer, lines, send, finish, launch }
}

/** As the browser sends them back. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

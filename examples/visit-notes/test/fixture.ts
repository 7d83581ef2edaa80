// What a test of this app runs on: a fake service, the app on a free port, and a browser that sends
// origin and cookies. Loopback only.
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'
import { createBrowser } from './browser-client.ts'

const PUBLIC_URL = 'http://visit-notes.chartside.localhost'

/** `lines`: the log of the app. `secrets`: what no page may contain. */
export async function startFixture(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [`${PUBLIC_URL}/callback`] })
  t.after(() => issuer.stop())
  const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
  const lines: string[] = []
  const address = { host: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL }
  const frameAncestors = ['http://ehr.example']
  const app = createApp(
    { baseUrl, tokenUrl, clientId, clientSecret, frameAncestors, ...address },
    (line) => lines.push(line),
  )
  const server = await startServer(app, address)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const send = createBrowser({ [PUBLIC_URL]: port })
  return { issuer, lines, port, secrets: [clientSecret], send }
}

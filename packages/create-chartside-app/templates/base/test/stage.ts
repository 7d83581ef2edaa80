// What a test of this app starts: a fake service, the app on a free port, and a browser's part of the
// requests, with origin and cookies. Loopback only.
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'
import { browse } from './browse.ts'

const PUBLIC_URL = 'http://{{slug}}.chartside.localhost'

/** `lines`: what the app logged. */
export async function startStage(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [`${PUBLIC_URL}/callback`] })
  t.after(() => issuer.stop())
  const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
  const lines: string[] = []
  const place = { host: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL }
  const frameAncestors = ['http://ehr.example']
  const app = createApp(
    { baseUrl, tokenUrl, clientId, clientSecret, frameAncestors, ...place },
    (line) => lines.push(line),
  )
  const server = await startServer(app, place)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { issuer, lines, send: browse({ [PUBLIC_URL]: port }) }
}

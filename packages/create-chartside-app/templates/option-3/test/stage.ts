// What a test of this app starts: a fake service, the app and its provider on free ports, and a
// browser's part of the requests, with origins and cookies. Loopback only.
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp, type Handler } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'
import { startServer } from '../src/server.ts'
import { browse } from './browse.ts'

const PUBLIC_URL = 'http://{{slug}}.chartside.localhost'
export const PROVIDER_URL = 'http://provider.{{slug}}.chartside.localhost'
const CALLBACK = `${PROVIDER_URL}/api/auth/callback/chartside`

/** `lines`: what app and provider logged. */
export async function startStage(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [CALLBACK] })
  t.after(() => issuer.stop())
  const serve = async (handle: Handler) => {
    const server = await startServer(handle, { host: '127.0.0.1', port: 0 })
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return { server, port: (server.address() as AddressInfo).port }
  }
  const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const settings = {
    ...{ baseUrl, host: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL, providerUrl: PROVIDER_URL },
    ...{ frameAncestors: ['http://ehr.example'], providerApi: '', managementToken: 'm'.repeat(43) },
  }
  const provider = createProvider({ settings, clientId, clientSecret, tokenUrl, log })
  const { server: providerServer, port: providerPort } = await serve(provider)
  const providerApi = `http://127.0.0.1:${providerPort}`
  const { port } = await serve(createApp({ ...settings, providerApi }, log))
  const send = browse({ [PUBLIC_URL]: port, [PROVIDER_URL]: providerPort })
  return { issuer, lines, providerServer, send }
}

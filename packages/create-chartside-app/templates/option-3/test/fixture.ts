// What a test of this app runs on: a fake service, the app and its provider on free ports, and a
// browser that sends origin and cookies. Loopback only.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createApp, type Handler } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'
import { startServer } from '../src/server.ts'
import { createBrowser, type Send } from './browser-client.ts'

const PUBLIC_URL = 'http://{{slug}}.chartside.localhost'
export const PROVIDER_URL = 'http://provider.{{slug}}.chartside.localhost'
const CALLBACK = `${PROVIDER_URL}/api/auth/callback/chartside`
const MANAGEMENT_TOKEN = 'm'.repeat(43)

/** `lines`: the log of app and provider. `secrets`: what no page may contain. */
export async function startFixture(t: TestContext) {
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
    ...{ frameAncestors: ['http://ehr.example'], providerApi: '' },
    managementToken: MANAGEMENT_TOKEN,
  }
  const provider = createProvider({ settings, clientId, clientSecret, tokenUrl, log })
  const { server: providerServer, port: providerPort } = await serve(provider)
  const providerApi = `http://127.0.0.1:${providerPort}`
  const { port } = await serve(createApp({ ...settings, providerApi }, log))
  const jar = new Map<string, string>()
  const send = createBrowser({ [PUBLIC_URL]: port, [PROVIDER_URL]: providerPort }, jar)
  const cookies = (): string[] => [...jar.keys()]
  const secrets = [clientSecret, MANAGEMENT_TOKEN]
  return { issuer, lines, port, providerServer, secrets, cookies, send }
}

/** Follows the redirects from the Launch URL on: the query of the return to the app. */
export async function signIn(send: Send, launchId: string): Promise<URLSearchParams> {
  let address = `${PROVIDER_URL}/sign-in?${new URLSearchParams({ launch_id: launchId })}`
  for (let redirects = 0; redirects < 6; redirects += 1) {
    const response = await send(address)
    address = response.headers.get('location') ?? ''
    assert.ok(address, `${response.status} instead of a redirect`)
    const { pathname, searchParams } = new URL(address)
    if (pathname === '/callback') return searchParams
  }
  throw new Error('The provider redirects in circles.')
}

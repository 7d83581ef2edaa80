// What the tests of an app run on: a fake service, the app on a free port, and a browser that sends
// origin and cookies; for option 3 the identity provider of development too. Loopback only.
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type FakeIssuer, startFakeIssuer } from '../fake-issuer.ts'
import { createBrowser, type Send } from './browser-client.ts'

export const PUBLIC_URL = 'http://app.chartside.localhost'
export const PROVIDER_URL = 'http://provider.app.chartside.localhost'
const MANAGEMENT_TOKEN = 'm'.repeat(43)

/** The settings of a test, as `parseAppSettings` of the app kit makes them. */
export interface TestSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly tokenUrl: string
  readonly baseUrl: string
  readonly frameAncestors: readonly string[]
  readonly host: string
  /** The port; 0 stands for any free port. */
  readonly port: number
  readonly publicUrl: string
}

/** The settings of option 3, as `parseProviderAppSettings` of the app kit makes them. */
export interface ProviderTestSettings
  extends Omit<TestSettings, 'clientId' | 'clientSecret' | 'tokenUrl'> {
  readonly providerUrl: string
  readonly providerApi: string
  readonly managementToken: string
}

type Log = (line: string) => void

/** Starts the app with settings of a test; the server listens when it resolves. */
export type StartApp = (settings: TestSettings, log: Log) => Promise<Server>

/** Starts one of the two servers of option 3. */
export interface StartProviderApp {
  app(settings: ProviderTestSettings, log: Log): Promise<Server>
  provider(
    options: {
      readonly settings: ProviderTestSettings
      readonly clientId: string
      readonly clientSecret: string
      readonly tokenUrl: string
      readonly log: Log
    },
    address: { readonly host: string; readonly port: number },
  ): Promise<Server>
}

export interface AppFixture {
  readonly issuer: FakeIssuer
  /** The log of the app. */
  readonly lines: readonly string[]
  readonly port: number
  /** The texts that no page may contain. */
  readonly secrets: readonly string[]
  readonly send: Send
}

export interface ProviderFixture extends AppFixture {
  readonly providerServer: Server
  /** The names of the browser's cookies. */
  cookies(): string[]
}

export type OpenFixture<Fixture extends AppFixture = AppFixture> = (
  t: TestContext,
) => Promise<Fixture>

const ADDRESS = { host: '127.0.0.1', port: 0 }
const FRAMED_BY = ['http://ehr.example']

/** Returns the settings of an app of option 1 or 2 on a free port of this machine. */
export const appSettings = (
  { baseUrl, tokenUrl, clientId, clientSecret }: FakeIssuer,
  changes: Partial<TestSettings> = {},
): TestSettings => ({
  ...{ baseUrl, tokenUrl, clientId, clientSecret },
  ...{ ...ADDRESS, publicUrl: PUBLIC_URL, frameAncestors: FRAMED_BY },
  ...changes,
})

/**
 * Starts an app of option 1 or 2 beside a fake service, for a test, and stops both after it. Never throws
 * itself; the returned function rejects with what `start` throws.
 * @example const startFixture = fixtureOf(startApp)
 */
export const fixtureOf =
  (start: StartApp): OpenFixture =>
  async (t) => {
    const issuer = await startIssuer(t, `${PUBLIC_URL}/callback`)
    const lines: string[] = []
    const port = stopAfter(t, await start(appSettings(issuer), (line) => lines.push(line)))
    const send = createBrowser({ [PUBLIC_URL]: port })
    return { issuer, lines, port, secrets: [issuer.clientSecret], send }
  }

export const providerFixtureOf =
  (start: StartProviderApp): OpenFixture<ProviderFixture> =>
  async (t) => {
    const issuer = await startIssuer(t, `${PROVIDER_URL}/api/auth/callback/chartside`)
    const { baseUrl, tokenUrl, clientId, clientSecret } = issuer
    const lines: string[] = []
    const log = (line: string): void => void lines.push(line)
    const app = { ...ADDRESS, publicUrl: PUBLIC_URL, frameAncestors: FRAMED_BY }
    const provider = { providerUrl: PROVIDER_URL, managementToken: MANAGEMENT_TOKEN }
    const settings = { baseUrl, ...app, ...provider, providerApi: '' }
    const client = { clientId, clientSecret, tokenUrl }
    const providerServer = await start.provider({ settings, ...client, log }, ADDRESS)
    const providerPort = stopAfter(t, providerServer)
    const providerApi = `http://127.0.0.1:${providerPort}`
    const port = stopAfter(t, await start.app({ ...settings, providerApi }, log))
    const jar = new Map<string, string>()
    const send = createBrowser({ [PUBLIC_URL]: port, [PROVIDER_URL]: providerPort }, jar)
    const cookies = (): string[] => [...jar.keys()]
    const secrets = [clientSecret, MANAGEMENT_TOKEN]
    return { issuer, lines, port, providerServer, secrets, cookies, send }
  }

async function startIssuer(t: TestContext, redirectUri: string): Promise<FakeIssuer> {
  const issuer = await startFakeIssuer({ redirectUris: [redirectUri] })
  t.after(() => issuer.stop())
  return issuer
}

/** Its port. */
function stopAfter(t: TestContext, server: Server): number {
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
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

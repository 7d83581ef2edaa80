// An app that has been launched, in one call: a fake service, the app beside it, and a browser that a user
// has signed in with. What a test of the app's own API begins with. For tests only.
import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type FakeIssuer, startFakeIssuer } from '../fake-issuer.ts'
import type { FakeLaunch } from '../launch.ts'
import {
  type AppBrowser,
  type AppCalls,
  type AppHandler,
  callsOf,
  createAppBrowser,
} from './app-browser.ts'
import { json, type StartedSession } from './browser-client.ts'
import {
  appSettings,
  PUBLIC_URL,
  providerFixtureOf,
  type StartProviderApp,
  signIn,
  type TestSettings,
} from './fixture.ts'

/** Makes the app: its function from Request to Response, or a server that listens. */
export type CreateApp = (
  settings: TestSettings,
  log: (line: string) => void,
) => AppHandler | Server | Promise<AppHandler | Server>

/** The facts of who launches the app. Each has a sample as its default. */
export interface LaunchAppOptions {
  readonly account?: Partial<FakeLaunch['account']>
  readonly user?: { readonly id?: string; readonly name?: string; readonly email?: string }
  readonly ehrType?: string
}

export interface LaunchedApp {
  /** A browser with the session of the launch. */
  readonly app: AppBrowser
  readonly launch: FakeLaunch
  readonly issuer: FakeIssuer
  /** The log of the app. */
  readonly lines: readonly string[]
  /** Launches the same app for another user, in a browser of its own. */
  launchAgain(options?: LaunchAppOptions): Promise<Pick<LaunchedApp, 'app' | 'launch'>>
  /** Stops app and service. The end of a process does not need it. */
  stop(): Promise<void>
}

/**
 * Starts an app of option 1 or 2 beside a fake service and launches it. A test process ends without `stop`.
 * @throws AppAnswerError when the app refuses the launch; what `createApp` throws
 * @example const { app } = await launchApp(startApp, { account: { name: 'Hillside Cardiology' } })
 */
export async function launchApp(
  createApp: CreateApp,
  options: LaunchAppOptions = {},
): Promise<LaunchedApp> {
  const issuer = await startFakeIssuer({
    redirectUris: [`${PUBLIC_URL}/callback`],
    isBackground: true,
  })
  const lines: string[] = []
  const created = await createApp(appSettings(issuer), (line) => void lines.push(line))
  const target = created instanceof Server ? addressOf(created) : created
  const launchAgain: LaunchedApp['launchAgain'] = async (other = {}) => {
    const app = createAppBrowser(target, { origin: PUBLIC_URL })
    return { app, launch: await app.signIn(issuer, mintLaunch(issuer, other)) }
  }
  return {
    ...(await launchAgain(options)),
    ...{ issuer, lines, launchAgain },
    stop: async () => {
      await issuer.stop()
      if (!(created instanceof Server)) return
      created.close()
      created.closeAllConnections()
    },
  }
}

/**
 * Starts an app of option 3 and its identity provider beside a fake service, and launches the app. After the
 * test all stop.
 * @throws AssertionError when the provider does not sign in; what `start` throws
 * @example const app = await launchProviderApp(t, { app: startApp, provider })
 */
export async function launchProviderApp(
  t: TestContext,
  start: StartProviderApp,
): Promise<AppCalls> {
  const { issuer, send } = await providerFixtureOf(start)(t)
  const ticket = Object.fromEntries(await signIn(send, issuer.mintLaunch().launchId))
  /** The secret of the tab that began the launch. */
  const proof = 'p'.repeat(43)
  await send('/api/exchange', { ...ticket, proof })
  const { session } = await json<StartedSession>(await send('/api/session', { proof }))
  return callsOf(send, () => `Bearer ${session.token}`)
}

/** A launch by these people, with samples for the rest. */
export function mintLaunch(
  issuer: FakeIssuer,
  { account, user = {}, ehrType }: LaunchAppOptions,
): FakeLaunch {
  const sample = issuer.mintLaunch()
  const { id: userId = sample.userId, name = sample.name, email = sample.email } = user
  return issuer.mintLaunch({
    ...{ userId, name, email },
    account: { ...sample.account, ...account },
    ehrType: ehrType ?? sample.ehrType,
  })
}

function addressOf(server: Server): string {
  server.unref()
  // Fastify keeps an idle connection for 72 s.
  server.on('connection', (socket) => socket.unref())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// A fixture for Playwright: the app in a real browser, beside a fake service and a panel that the test
// commands. Needs Node and a page of Playwright, of which it names no type. For tests only.
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { appSettings, type StartApp } from '../app/fixture.ts'
import { type LaunchAppOptions, mintLaunch } from '../app/launch-app.ts'
import type { FakeHost } from '../fake-host.ts'
import { type FakeIssuer, startFakeIssuer } from '../fake-issuer.ts'
import type { FakeLaunch } from '../launch.ts'
import { type BrowserPage, openHostPage, servePanel } from './host-page.ts'

export { type BrowserPage, type HostPage, openHostPage, servePanel } from './host-page.ts'

export interface ChartsideOptions {
  /** Starts the app with settings of a test; the server listens when it resolves. */
  readonly start: StartApp
  /** The path of the registered token endpoint (option 2), such as `/token`. */
  readonly tokenEndpoint?: string
  /** The path of the Launch URL. Default `/launch`. */
  readonly launchPath?: string
}

/** The panel beside the chart, as the test commands it. */
export interface Panel extends Pick<FakeHost, 'ready' | 'setChart' | 'sendExpiring' | 'expire'> {
  /** The user signs out of the EHR session. */
  signOut(): void
  /** The whole fake host, with the tokens and failures that the app presented. */
  readonly host: FakeHost
}

export interface OpenedApp<Frame> {
  /** The app, as a frame locator of Playwright. */
  readonly frame: Frame
  readonly panel: Panel
  readonly launch: FakeLaunch
  readonly issuer: FakeIssuer
  /** The log of the app. */
  readonly lines: readonly string[]
}

export type OpenApp<Frame> = (options?: LaunchAppOptions) => Promise<OpenedApp<Frame>>

/**
 * Makes fixtures for `test.extend` of Playwright: `openApp` launches the app in the page, for the user and
 * practice that it is given, once for each test. It stops app and service after the test. Never throws
 * itself; `openApp` rejects with what `start` throws.
 * @example const test = base.extend(chartside({ start: startApp }))
 */
export const chartside = (options: ChartsideOptions) => ({
  openApp: async <Frame>(
    { page }: { page: BrowserPage<Frame> },
    use: (openApp: OpenApp<Frame>) => Promise<void>,
  ): Promise<void> => {
    const ends: (() => Promise<void> | void)[] = []
    try {
      await use((who = {}) => launchInPage(page, options, who, (end) => ends.push(end)))
    } finally {
      for (const end of ends.toReversed()) await end()
    }
  },
})

async function launchInPage<Frame>(
  page: BrowserPage<Frame>,
  { start, tokenEndpoint, launchPath = '/launch' }: ChartsideOptions,
  who: LaunchAppOptions,
  atEnd: (end: () => Promise<void> | void) => void,
): Promise<OpenedApp<Frame>> {
  const { origin, stop } = await servePanel()
  atEnd(stop)
  const port = await findPort()
  const publicUrl = `http://app.chartside.localhost:${port}`
  const redirectUris = [`${publicUrl}/callback`]
  const issuer = await startFakeIssuer({ redirectUris, sdkScript: await readSDK(origin) })
  atEnd(() => issuer.stop())
  const lines: string[] = []
  const settings = appSettings(issuer, { port, publicUrl, frameAncestors: [origin] })
  const server: Server = await start(settings, (line) => void lines.push(line))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const launch = mintLaunch(issuer, who)
  const { launchId, userId, account, ehrType, sessionId, deviceId } = launch
  const { host, frame, open } = await openHostPage(page, origin, {
    ...{ launchId, seed: { userId, account, ehrType, sessionId, deviceId } },
    ...(tokenEndpoint === undefined ? {} : { tokenEndpoint: `${publicUrl}${tokenEndpoint}` }),
  })
  atEnd(() => host.stop())
  await open(`${publicUrl}${launchPath}?${new URLSearchParams({ launch_id: launchId })}`)
  const panel: Panel = {
    host,
    ready: () => host.ready(),
    setChart: (key) => host.setChart(key),
    sendExpiring: (seconds) => host.sendExpiring(seconds),
    expire: () => host.expire(),
    signOut: () => host.end('signed_out'),
  }
  return { frame, panel, launch, issuer, lines }
}

/**
 * Reads the script of the SDK as the service serves it, for pages in a panel of `origin`.
 * @throws Error of Node.js when @chartside/sdk is not installed
 * @example const issuer = await startFakeIssuer({ sdkScript: await readSDK(origin) })
 */
export async function readSDK(origin: string): Promise<string> {
  const path = createRequire(import.meta.url).resolve('@chartside/sdk/sdk.js')
  const text = await readFile(path, 'utf8')
  return text.replace('"__CHARTSIDE_HOST_ORIGINS__"', JSON.stringify([origin]))
}

/** The app must know its origin before it listens. */
async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

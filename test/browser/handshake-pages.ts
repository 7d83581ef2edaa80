// Actions of the browser tests of the handshake on pages: open a host, open apps in it, run init,
// send messages and record them. It asserts nothing about the handshake itself.
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Host, OpenFrame } from '@chartside/host'
import type { Chartside, LoadOptions, ServiceSDK, ServiceSDKError } from '@chartside/sdk'
import type { Browser, Frame, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { type HandshakeFixture, startFixture } from './handshake-fixture.ts'
import { SESSION } from './handshake-service.ts'

declare global {
  interface Window {
    ChartsideHost: typeof import('@chartside/host')
    host: Host
    openFrames: OpenFrame[]
    events: { type: string; [field: string]: unknown }[]
    sdk: ServiceSDK
    ready: Promise<ServiceSDK>
    received: { data: Readonly<Record<string, unknown>>; ports: readonly MessagePort[] }[]
    /** Of the page's Content-Security-Policy. */
    violations: string[]
  }
}

/** How an app's page has the SDK: the served script, the package, or both. */
export interface PageWithSDK {
  readonly Chartside: Chartside
  /** `bare` is init as the package has it; the others know where the script is. */
  readonly Imported: Omit<Chartside, 'version'> & { readonly bare: Chartside['initServiceSDK'] }
}

/** Fresh for every test. */
export let page: Page
export let fixture: HandshakeFixture
let browser: Browser

/** Starts the fixture before the tests of a file and closes it after them. */
export function useFixture(): void {
  before(async () => {
    fixture = await startFixture()
    browser = await launchChromium()
  })

  after(async () => {
    await browser?.close()
    await fixture?.close()
  })

  beforeEach(async () => {
    fixture.reset()
    await page?.close()
    page = await browser.newPage()
    await page.addInitScript(() => {
      window.violations = []
      document.addEventListener('securitypolicyviolation', (event) => {
        window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`)
      })
    })
  })
}

/** A page of the host's origin, with a host running in it. */
export async function openHost(helloTimeoutMs = 5_000): Promise<void> {
  await page.goto(fixture.origins.host)
  await startHost(page, helloTimeoutMs)
}

/** Starts a host in a page or a frame of the host's origin. */
export async function startHost(where: Page | Frame, helloTimeoutMs = 5_000): Promise<void> {
  await where.evaluate(
    ({ service, session, helloTimeoutMs }) => {
      window.openFrames = []
      window.events = []
      window.host = window.ChartsideHost.createHost({
        service,
        sessionToken: 'st_test',
        session,
        helloTimeoutMs,
        onEvent: (event) => {
          const frame = 'frame' in event && event.frame ? event.frame.id : null
          window.events.push({ ...event, frame })
        },
      })
    },
    { service: fixture.origins.service, session: SESSION, helloTimeoutMs },
  )
}

export async function openApp(appId: string): Promise<Frame> {
  const index = await page.evaluate(async (appId) => {
    const mount = document.body
    window.openFrames.push(await window.host.open({ appId, kind: 'ui', mount }))
    return window.openFrames.length - 1
  }, appId)
  return frameAt(index)
}

/** Frames an app without a host, as any page could. */
export async function embed(url: string): Promise<Frame> {
  const index = await page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
    return document.querySelectorAll('iframe').length - 1
  }, url)
  return frameAt(index)
}

export async function frameAt(index: number): Promise<Frame> {
  const element = await page.locator('iframe').nth(index).elementHandle()
  const frame = await element?.contentFrame()
  // A handle keeps an element alive that has left the page.
  await element?.dispose()
  assert.ok(frame)
  await frame.waitForURL(/\/(manual|without-sdk|callback|panel)/)
  return frame
}

interface Outcome {
  readonly context?: { readonly userId: string; readonly deviceId: string }
  readonly code?: string
  readonly message?: string
  readonly ms: number
}

/** Runs init in a page and returns its outcome. */
export const initialize = (frame: Frame | Page, options: LoadOptions = {}): Promise<Outcome> =>
  frame.evaluate(async (options) => {
    const started = performance.now()
    const ms = () => performance.now() - started
    const { Imported, Chartside } = window as unknown as PageWithSDK
    try {
      window.sdk = await (Imported ?? Chartside).initServiceSDK(options)
      return { context: JSON.parse(JSON.stringify(window.sdk.sessionContext)), ms: ms() }
    } catch (error) {
      const { code, message } = error as ServiceSDKError
      return { code, message, ms: ms() }
    }
  }, options)

export const eventsOf = (type: string) =>
  page.evaluate((type) => window.events.filter((event) => event.type === type), type)

export async function eventually(what: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!(await what())) {
    if (Date.now() > deadline) assert.fail(`never came true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const tokenOf = (index: number) => fixture.service.records[index]?.accessToken ?? ''

/** Makes a page record every message and port it receives. */
export const listen = (frame: Frame | Page) =>
  frame.evaluate(() => {
    window.received = []
    window.addEventListener('message', ({ data, ports }) => window.received.push({ data, ports }))
  })

export const messagesOf = (frame: Frame | Page) =>
  frame.evaluate(() => window.received.map(({ data, ports }) => ({ data, ports: ports.length })))

export const sendHello = (frame: Frame, nonce: string, versions = [1]) =>
  frame.evaluate(
    ({ nonce, versions }) => {
      const hello = { type: 'chartside:hello', versions, nonce, sdkVersion: '1.0.0' }
      window.parent.postMessage(hello, '*')
    },
    { nonce, versions },
  )

export const welcomeFor = (nonce: unknown) => ({
  type: 'chartside:welcome',
  version: 1,
  nonce,
  launchId: 'lnch_forged',
  seed: {
    userId: 'usr_forged',
    account: { id: 'acc_forged', name: 'Forged' },
    ehrType: 'meadow',
    sessionId: 'ses_forged',
    deviceId: 'dev_forged',
  },
})

/**
 * Sends a forged answer from a page to a window, named by its path of frame indices from the top
 * page. Its port accepts any token: an SDK that accepts the answer gets a session context.
 */
export const forge = (by: Frame | Page, to: readonly number[], answer: object) =>
  by.evaluate(
    ({ to, answer }) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => port1.postMessage({ type: 'ready' })
      const target = to.reduce(
        (window: Window | undefined, index) => window?.frames[index],
        top as Window,
      )
      target?.postMessage(answer, '*', [port2])
    },
    { to, answer },
  )

/** The nonce of the next hello that this page receives. */
export async function awaitNonce(): Promise<unknown> {
  await eventually(async () => (await messagesOf(page)).length > 0)
  return (await messagesOf(page))[0]?.data.nonce
}

/** A host answers no more hellos of one launch in a minute. */
export const HELLOS_A_LAUNCH = 20

/** Launches the app again in the place of the one app of the page. */
export async function launchAgain(): Promise<{ app: Frame; accessToken: string }> {
  await page.evaluate(() => window.openFrames[0]?.reload())
  const app = await frameAt(0)
  return { app, accessToken: tokenOf(fixture.service.records.length - 1) }
}

// What the browser tests of the handshake do to pages: open a host, open apps in it, run init, post
// messages and listen. It asserts nothing about the handshake itself.
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Host, OpenFrame } from '@chartside/host'
import type { Chartside, LoadOptions, ServiceSDK, ServiceSDKError } from '@chartside/sdk'
import type { Browser, Frame, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { openPageSide, type PageSide } from './page-side.ts'
import { SESSION } from './service-double.ts'

declare global {
  interface Window {
    ChartsideHost: typeof import('@chartside/host')
    host: Host
    open_: OpenFrame[]
    events: { type: string; [field: string]: unknown }[]
    sdk: ServiceSDK
    ready: Promise<ServiceSDK>
    heard: { data: Readonly<Record<string, unknown>>; ports: readonly MessagePort[] }[]
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
export let stage: PageSide
let browser: Browser

/** Registers the stage for the tests of a file. */
export function useStage(): void {
  before(async () => {
    stage = await openPageSide()
    browser = await launchChromium()
  })

  after(async () => {
    await browser?.close()
    await stage?.close()
  })

  beforeEach(async () => {
    stage.reset()
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
  await page.goto(stage.origins.host)
  await startHost(page, helloTimeoutMs)
}

/** Starts a host in a page or a frame of the host's origin. */
export async function startHost(where: Page | Frame, helloTimeoutMs = 5_000): Promise<void> {
  await where.evaluate(
    ({ service, session, helloTimeoutMs }) => {
      window.open_ = []
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
    { service: stage.origins.service, session: SESSION, helloTimeoutMs },
  )
}

export async function openApp(appId: string): Promise<Frame> {
  const index = await page.evaluate(async (appId) => {
    const mount = document.body
    window.open_.push(await window.host.open({ appId, kind: 'ui', mount }))
    return window.open_.length - 1
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
  await frame.waitForURL(/\/(manual|silent|callback|panel)/)
  return frame
}

interface Outcome {
  readonly context?: { readonly userId: string; readonly deviceId: string }
  readonly code?: string
  readonly message?: string
  readonly ms: number
}

/** Runs init in a page and tells how it went. */
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

export const tokenOf = (index: number) => stage.service.records[index]?.accessToken ?? ''

/** Has a page collect every message and port it receives. */
export const listen = (frame: Frame | Page) =>
  frame.evaluate(() => {
    window.heard = []
    window.addEventListener('message', ({ data, ports }) => window.heard.push({ data, ports }))
  })

export const heardBy = (frame: Frame | Page) =>
  frame.evaluate(() => window.heard.map(({ data, ports }) => ({ data, ports: ports.length })))

export const sayHello = (frame: Frame, nonce: string, versions = [1]) =>
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
 * Has a page post a forged answer to a window, named by its path of frame indices from the top
 * page. Its port calls every token good: whoever takes the answer shows it by a context.
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
export async function nonceHeard(): Promise<unknown> {
  await eventually(async () => (await heardBy(page)).length > 0)
  return (await heardBy(page))[0]?.data.nonce
}

// The handshake in a real Chromium: the built SDK and the host package, on distinct origins, under
// the CSP that the specification asks of apps. One test per attack and per ending.
// Contract §5; security X01-X09, L05, H05, H06.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Host, OpenFrame } from '@chartside/host'
import type { InitOptions, ServiceSDK } from '@chartside/sdk'
import type { Browser, Frame, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { openPageSide, type PageSide } from './page-side.ts'
import { SESSION } from './service-double.ts'

declare global {
  interface Window {
    ChartsideHost: typeof import('@chartside/host')
    Chartside: typeof import('@chartside/sdk')
    host: Host
    open_: OpenFrame[]
    events: { type: string; [field: string]: unknown }[]
    sdk: ServiceSDK
    ready: Promise<ServiceSDK>
    heard: { data: Readonly<Record<string, unknown>>; ports: readonly MessagePort[] }[]
    endedAt: number
  }
}

let stage: PageSide
let browser: Browser
let page: Page

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
})

/** A page of the host's origin, with a host running in it. */
async function openHost(helloTimeoutMs = 5_000): Promise<void> {
  await page.goto(stage.origins.host)
  await page.evaluate(
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

async function openApp(appId: string): Promise<Frame> {
  const index = await page.evaluate(async (appId) => {
    const mount = document.body
    window.open_.push(await window.host.open({ appId, kind: 'ui', mount }))
    return window.open_.length - 1
  }, appId)
  return frameAt(index)
}

/** Frames an app without a host, as any page could. */
async function embed(url: string): Promise<Frame> {
  const index = await page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
    return document.querySelectorAll('iframe').length - 1
  }, url)
  return frameAt(index)
}

async function frameAt(index: number): Promise<Frame> {
  const element = await page.locator('iframe').nth(index).elementHandle()
  const frame = await element?.contentFrame()
  assert.ok(frame)
  await frame.waitForURL(/\/(manual|silent|callback)/)
  return frame
}

interface Outcome {
  readonly context?: { readonly userId: string; readonly deviceId: string }
  readonly code?: string
  readonly message?: string
  readonly ms: number
}

/** Runs init in a page and tells how it went. */
const initialize = (frame: Frame | Page, options: InitOptions = {}): Promise<Outcome> =>
  frame.evaluate(async (options) => {
    const started = performance.now()
    const ms = () => performance.now() - started
    try {
      window.sdk = await window.Chartside.initServiceSDK(options)
      return { context: JSON.parse(JSON.stringify(window.sdk.sessionContext)), ms: ms() }
    } catch (error) {
      const { code, message } = error as InstanceType<typeof window.Chartside.ServiceSDKError>
      return { code, message, ms: ms() }
    }
  }, options)

const eventsOf = (type: string) =>
  page.evaluate((type) => window.events.filter((event) => event.type === type), type)

async function eventually(what: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!(await what())) {
    if (Date.now() > deadline) assert.fail(`never came true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const tokenOf = (index: number) => stage.service.records[index]?.accessToken ?? ''

/** Has a page collect every message and port it receives. */
const listen = (frame: Frame | Page) =>
  frame.evaluate(() => {
    window.heard = []
    window.addEventListener('message', ({ data, ports }) => window.heard.push({ data, ports }))
  })

const heardBy = (frame: Frame | Page) =>
  frame.evaluate(() => window.heard.map(({ data, ports }) => ({ data, ports: ports.length })))

const sayHello = (frame: Frame, nonce: string, versions = [1]) =>
  frame.evaluate(
    ({ nonce, versions }) => {
      const hello = { type: 'chartside:hello', versions, nonce, sdkVersion: '1.0.0' }
      window.parent.postMessage(hello, '*')
    },
    { nonce, versions },
  )

const welcomeFor = (nonce: unknown) => ({
  type: 'chartside:welcome',
  version: 1,
  nonce,
  launchId: 'lau_forged',
  seed: {
    userId: 'usr_forged',
    account: { id: 'acc_forged', name: 'Forged' },
    ehrType: 'meadow',
    sessionId: 'ses_forged',
    deviceId: 'dev_forged',
  },
})

/** The nonce of the next hello that this page receives. */
async function nonceHeard(): Promise<unknown> {
  await eventually(async () => (await heardBy(page)).length > 0)
  return (await heardBy(page))[0]?.data.nonce
}

test('an app that exchanged its own code gets its session context, under a strict CSP [H06]', async () => {
  await openHost()
  const app = await openApp('exchange')
  const outcome = await app.evaluate(async () => {
    const sdk = await window.ready
    const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
    return {
      context: JSON.parse(JSON.stringify(sdk.sessionContext)),
      version: sdk.version,
      idToken,
    }
  })
  const [record] = stage.service.records
  assert.deepEqual(outcome.context, record?.opened.seed)
  assert.equal(outcome.idToken, record?.idToken)
  assert.equal(outcome.version, '1.0.0')
  await eventually(() => stage.service.steps.length === 3)
  assert.deepEqual(
    stage.service.steps.map(({ step, outcome }) => [step, outcome]),
    [
      ['opened', 'ok'],
      ['handshake', 'ok'],
      ['context', 'ok'],
    ],
  )
})

test('an app with a registered token endpoint gets its tokens through it', async () => {
  await openHost()
  const app = await openApp('relay')
  const idToken = await app.evaluate(async () => {
    const sdk = await window.ready
    return (await sdk.sessionContext?.getIdToken())?.idToken
  })
  assert.equal(idToken, stage.service.records[0]?.idToken)
})

test('no token is in storage, in the URL or in the page after a full launch [H05]', async () => {
  await openHost()
  const app = await openApp('exchange')
  await app.evaluate(() => window.ready)
  for (const frame of [app, page.mainFrame()]) {
    const traces = await frame.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        document.documentElement.outerHTML,
        location.href,
        document.querySelector('iframe')?.src,
        window.events,
      ]),
    )
    assert.doesNotMatch(traces, /at_secret|signature_of|st_test/)
  }
})

test('drops a hello from a frame it did not open, same origin or not [X02]', async () => {
  await openHost()
  await openApp('manual')
  const sibling = await embed(`${stage.origins.app}/manual`)
  await listen(sibling)
  await sayHello(sibling, 'nonce_of_the_sibling')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'unknown_source')
  assert.deepEqual(await heardBy(sibling), [])
})

test('takes no answer from a sibling frame, even with the right nonce [X02]', async () => {
  await page.goto(stage.origins.host)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const sibling = await embed(`${stage.origins.app}/manual?sibling`)
  const outcome = initialize(app, { accessToken: 'at_1', handshakeTimeoutMs: 600 })
  const forged = welcomeFor(await nonceHeard())
  await sibling.evaluate((forged) => {
    window.parent.frames[0]?.postMessage(forged, '*', [new MessageChannel().port2])
  }, forged)
  assert.equal((await outcome).code, 'HANDSHAKE_TIMEOUT')
})

test('takes no answer from a parent page that is not a host, and names its origin [X02]', async () => {
  await page.goto(stage.origins.stranger)
  await listen(page)
  const app = await embed(`${stage.origins.app}/manual`)
  const outcome = initialize(app, { accessToken: 'at_1', handshakeTimeoutMs: 600 })
  const forged = welcomeFor(await nonceHeard())
  await page.evaluate((forged) => {
    window.frames[0]?.postMessage(forged, '*', [new MessageChannel().port2])
  }, forged)
  const { code, message } = await outcome
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(stage.origins.stranger), message)
})

test('drops a hello with a nonce it has seen [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await heardBy(app)).length === 1)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'replayed_nonce')
  assert.equal((await heardBy(app)).length, 1)
})

test('hears nothing on a channel that a later hello has closed [X02]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1')
  await eventually(async () => (await heardBy(app)).length === 1)
  await sayHello(app, 'nonce_2')
  await eventually(async () => (await heardBy(app)).length === 2)
  const present = (index: number) =>
    app.evaluate(
      ({ index, accessToken }) =>
        window.heard[index]?.ports[0]?.postMessage({ type: 'token', accessToken }),
      { index, accessToken: tokenOf(0) },
    )
  await present(0)
  await present(1)
  await eventually(async () => (await eventsOf('context')).length === 1)
  assert.equal(stage.service.introspections, 1)
})

test('gives nothing to another origin that took the frame over [X04]', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  await app.goto(stage.origins.stranger)
  await listen(app)
  await sayHello(app, 'nonce_of_the_stranger')
  await eventually(async () => (await eventsOf('ignored')).length === 1)
  assert.equal((await eventsOf('ignored'))[0]?.reason, 'wrong_origin')
  stage.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  assert.deepEqual(await heardBy(app), [])
})

test('refuses a token of another launch [L05]', async () => {
  await openHost()
  const app = await openApp('manual')
  await openApp('manual')
  const outcome = await initialize(app, { accessToken: tokenOf(1) })
  assert.equal(outcome.code, 'LAUNCH_MISMATCH')
})

test('refuses an ID token of another launch before the access token leaves the page [L05]', async () => {
  await openHost()
  const app = await openApp('manual')
  await openApp('manual')
  const { idToken = '' } = stage.service.records[1] ?? {}
  const outcome = await initialize(app, { accessToken: tokenOf(0), idToken })
  assert.equal(outcome.code, 'LAUNCH_MISMATCH')
  assert.equal(stage.service.introspections, 0)
  await eventually(async () => (await eventsOf('refused')).length === 1)
  assert.equal((await eventsOf('refused'))[0]?.by, 'sdk')
})

test('refuses a dead token', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.equal((await initialize(app, { accessToken: 'at_dead' })).code, 'TOKEN_REJECTED')
})

test('two launches of one app, reloaded in any order, never cross [X09]', async () => {
  await openHost()
  const apps = [await openApp('manual'), await openApp('manual')] as const
  for (const order of [[0], [1], [1, 0], [0, 1], [0, 0, 1]] as const) {
    for (const index of order) await apps[index].goto(`${stage.origins.app}/manual?reload`)
    const outcomes = await Promise.all(
      apps.map((app, index) => initialize(app, { accessToken: tokenOf(index) })),
    )
    assert.deepEqual(
      outcomes.map(({ context }) => context?.deviceId),
      ['dev_of_lau_1', 'dev_of_lau_2'],
    )
  }
})

test('shakes hands again after a reload of the same frame', async () => {
  await openHost()
  const app = await openApp('manual')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  await app.evaluate(() => location.reload())
  await app.waitForFunction(() => 'Chartside' in window && !('sdk' in window))
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
})

test('says HOST_NOT_FOUND in a tab of its own [X08]', async () => {
  await page.goto(`${stage.origins.app}/manual`)
  assert.equal((await initialize(page)).code, 'HOST_NOT_FOUND')
})

test('says HANDSHAKE_TIMEOUT when nobody answers [X08]', async () => {
  await page.goto(stage.origins.host)
  const app = await embed(`${stage.origins.app}/manual`)
  const { code, message } = await initialize(app, { handshakeTimeoutMs: 300 })
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.ok(message?.includes(stage.origins.app), message)
})

test('refuses an SDK of an unknown version within two seconds, without a channel [X07]', async () => {
  await openHost()
  const app = await openApp('manual')
  await listen(app)
  await sayHello(app, 'nonce_1', [98, 99])
  const started = Date.now()
  await eventually(async () => (await heardBy(app)).length === 1)
  assert.ok(Date.now() - started < 2_000)
  const [answer] = await heardBy(app)
  assert.equal(answer?.data.code, 'PROTOCOL_MISMATCH')
  assert.equal(answer?.ports, 0)
})

test('says PROTOCOL_MISMATCH within two seconds when a newer host refuses [X07]', async () => {
  await page.goto(stage.origins.host)
  await page.evaluate(() =>
    window.addEventListener('message', ({ data: { nonce }, source, origin }) => {
      const refusal = {
        type: 'chartside:refusal',
        nonce,
        code: 'PROTOCOL_MISMATCH',
        message: 'old',
      }
      source?.postMessage(refusal, { targetOrigin: origin })
    }),
  )
  const outcome = await initialize(await embed(`${stage.origins.app}/manual`))
  assert.equal(outcome.code, 'PROTOCOL_MISMATCH')
  assert.ok(outcome.ms < 2_000)
})

for (const reason of ['signed_out', 'session_ended'] as const) {
  test(`tells the app within a second that the session is over: ${reason}`, async () => {
    await openHost()
    const app = await openApp('manual')
    await initialize(app, { accessToken: tokenOf(0) })
    const ended = app.evaluate(
      () =>
        new Promise<string>((resolve) => window.sdk.on('ended', ({ reason }) => resolve(reason))),
    )
    await app.evaluate(() => 'the listener is there')
    const started = Date.now()
    stage.service.endSession(reason)
    assert.equal(await ended, reason)
    assert.ok(Date.now() - started < 1_000)
  })
}

test('hostile payloads break neither end [X06]', async () => {
  await openHost()
  const app = await openApp('manual')
  const flood = (target: 'parent' | 'frame') => {
    const to = target === 'parent' ? window.parent : window.frames[0]
    for (const type of ['chartside:hello', 'chartside:welcome', 'chartside:refusal']) {
      to?.postMessage({ type, versions: [1], nonce: 'n'.repeat(10_000_000), sdkVersion: '1' }, '*')
      to?.postMessage(JSON.parse(`{"type":"${type}","__proto__":{"nonce":"n","polluted":1}}`), '*')
      to?.postMessage({ type, nonce: new Map(), versions: new Array(2 ** 32 - 1), seed: [] }, '*')
    }
  }
  await app.evaluate(flood, 'parent')
  await page.evaluate(flood, 'frame')
  assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
  for (const end of [app, page]) {
    assert.equal(await end.evaluate(() => 'polluted' in {}), false)
  }
})

test('gives no seed to a frame whose launch was ended', async () => {
  await openHost()
  const app = await openApp('manual')
  stage.service.endLaunch('lau_1')
  await eventually(async () => (await eventsOf('ended')).length === 1)
  assert.equal((await initialize(app, { accessToken: tokenOf(0) })).code, 'LAUNCH_ENDED')
})

test('launches the app again in the same frame when its token expires', async () => {
  await openHost()
  stage.service.tokenLifetimeSeconds = 2
  const app = await openApp('exchange')
  await app.evaluate(() => window.ready)
  stage.service.tokenLifetimeSeconds = 3600
  await eventually(async () => (await eventsOf('context')).length === 2)
  const [news] = await eventsOf('relaunched')
  assert.equal(news?.because, 'expired')
  assert.deepEqual([news?.previous, news?.launch], ['lau_1', 'lau_2'])
  assert.equal(await page.locator('iframe').count(), 1)
  const context = await app.evaluate(async () => (await window.ready).sessionContext?.deviceId)
  assert.equal(context, 'dev_of_lau_2')
})

test('says what to check when a page never says hello', async () => {
  await openHost(300)
  await openApp('silent')
  await eventually(async () => (await eventsOf('silent')).length === 1)
  assert.match(String((await eventsOf('silent'))[0]?.message), /frame-ancestors/)
})

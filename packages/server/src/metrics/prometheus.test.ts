// What the metrics note of the database: all of the time of an operation, also of one that is done when it
// returns, and a failure as well as a success.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from '../config/config.ts'
import { explainFailure } from '../config/explain.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { openListener } from './metrics-listener.ts'
import { listenForScrapes } from './node-metrics.ts'
import { prometheusMetrics } from './prometheus.ts'

const STATEMENT = sql`SELECT 1`

/** As the embedded database reads: before the promise is there. */
function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('the time of an operation includes what it does before it returns', async () => {
  const metrics = prometheusMetrics('1.0.0')
  const db = metrics.timed({
    read: async () => {
      workFor(5)
      return []
    },
    write: async () => Promise.reject(new Error('full')),
  } as unknown as Database)
  await db.read(STATEMENT)
  await assert.rejects(db.write(STATEMENT), /full/)
  const text = await metrics.render()
  const [, sum] =
    /^chartside_database_duration_seconds_sum\{operation="read"\} (\S+)$/m.exec(text) ?? []
  assert.ok(Number(sum) >= 0.005, `${sum} s`)
  assert.match(text, /^chartside_database_duration_seconds_count\{operation="write"\} 1$/m)
})

test('a port for metrics that is taken is named with its own setting', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const address = other.address()
  assert.ok(typeof address === 'object' && address !== null)
  const listener = { metricsHost: '127.0.0.1', metricsPort: address.port }
  const error = await listenForScrapes(prometheusMetrics('1.0.0'), listener).catch((cause) => cause)
  assert.match(explainFailure(error), /is taken by another process\. .*CHARTSIDE_METRICS_PORT/)
})

test('renders once for scrapes of the same second, however many ask [V36]', async (t) => {
  let rendered = 0
  const { promise: slow, resolve: finish } = Promise.withResolvers<void>()
  const metrics = {
    contentType: 'text/plain',
    async render() {
      rendered += 1
      if (rendered === 1) await slow
      return `render ${rendered}`
    },
  }
  const server = await openListener(metrics, { host: '127.0.0.1', port: 0 }, 1500)
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const together = Array.from({ length: 40 }, scrape)
  finish()
  assert.deepEqual([...new Set(await Promise.all(together))], ['render 1'])
  assert.equal(await scrape(), 'render 1')
  await sleep(1600)
  assert.equal(await scrape(), 'render 2')
  assert.equal(rendered, 2)
})

test('answers 500 to a scrape that fails, and tries again at the next [V36]', async (t) => {
  let isBroken = true
  const render = async () => (isBroken ? Promise.reject(new Error('broken')) : 'well')
  const server = await openListener(
    { contentType: 'text/plain', render },
    { host: '127.0.0.1', port: 0 },
  )
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
  assert.equal((await fetch(url)).status, 500)
  isBroken = false
  assert.equal(await (await fetch(url)).text(), 'well')
})

test('listens for scrapes on loopback, whatever the service listens on [V36]', () => {
  const { config } = parseConfig({ CHARTSIDE_HOST: '0.0.0.0', CHARTSIDE_METRICS_PORT: '9464' })
  assert.equal(config.metricsHost, '127.0.0.1')
})

test('leaves out a gauge that cannot be read now, and shows no earlier value', async () => {
  const metrics = prometheusMetrics('1.0.0')
  let read = () => 7
  metrics.watch({
    eventStreams: () => read(),
    queueDepth: () => 1,
    signingKeyAgeSeconds: () => 1,
    clockOffsetSeconds: () => 1,
    hostOrigins: () => 1,
    partitionsUnavailable: async () => 0,
    occurrences: async () => new Map([['backup', 1_800_000_000_000]]),
    auditChainLagSeconds: async () => 1,
    tlsExpirySeconds: undefined,
  })
  assert.match(await metrics.render(), /^chartside_event_streams 7$/m)
  read = () => {
    throw new Error('away')
  }
  const text = await metrics.render()
  assert.doesNotMatch(text, /^chartside_event_streams \d/m)
  assert.match(text, /^chartside_queue_depth 1$/m)
})

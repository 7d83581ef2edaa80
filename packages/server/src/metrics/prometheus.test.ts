// What the metrics note of the database: all of the time of an operation, also of one that is done when it
// returns, and a failure as well as a success.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { explainFailure } from '../config/explain.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { listenForScrapes } from './node-metrics.ts'
import { prometheusMetrics } from './prometheus.ts'

const STATEMENT = sql`SELECT 1`

/** As the embedded database reads: before the promise is there. */
function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('the time of an operation includes what it does before it returns', async () => {
  const metrics = prometheusMetrics()
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
  const listener = { host: '127.0.0.1', metricsPort: address.port }
  const error = await listenForScrapes(prometheusMetrics(), listener).catch((cause) => cause)
  assert.match(explainFailure(error), /is taken by another process\. .*CHARTSIDE_METRICS_PORT/)
})

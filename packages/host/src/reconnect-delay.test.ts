// When a host opens a lost event stream again: spread at the first attempt, later after each failure, and
// at the time that the service has said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconnectDelay } from './reconnect-delay.ts'

/** Numbers from 0 to 1 in even steps: every host draws another one. */
const HOSTS = 2000
const delays = (attempt: number) =>
  Array.from({ length: HOSTS }, (_, i) => reconnectDelay(attempt, {}, () => i / HOSTS))

test('the hosts of a lost node come back spread over a second, none at once', () => {
  const times = delays(1)
  assert.equal(Math.min(...times), 250)
  assert.ok(Math.max(...times) > 1200 && Math.max(...times) <= 1250)
  const perTenth = Object.values(Object.groupBy(times, (ms) => Math.floor(ms / 100)))
  assert.ok(Math.max(...perTenth.map((some) => some?.length ?? 0)) <= HOSTS / 10)
})

test('hosts wait longer after each failure, at most eight seconds', () => {
  const latest = [1, 2, 3, 4, 20].map((attempt) => Math.max(...delays(attempt)))
  assert.deepEqual(
    latest.map((ms) => Math.round(ms / 1000)),
    [1, 2, 4, 8, 8],
  )
  for (const attempt of [2, 3, 20]) assert.equal(Math.min(...delays(attempt)), 250)
})

test('what the service says about the time to come back is followed', () => {
  assert.equal(
    reconnectDelay(3, { retryMs: 700 }, () => 0.9),
    700,
  )
  assert.equal(
    reconnectDelay(1, { retryMs: 600_000 }, () => 0),
    8_000,
  )
})

test('a refused stream waits for Retry-After, and does not come back with all others', () => {
  const refused = (seconds: number) =>
    Array.from({ length: HOSTS }, (_, i) =>
      reconnectDelay(1, { retryAfterMs: seconds * 1000 }, () => i / HOSTS),
    )
  const times = refused(20)
  assert.equal(Math.min(...times), 20_000)
  assert.ok(Math.max(...times) > 20_900 && Math.max(...times) <= 21_000)
  assert.equal(Math.min(...refused(0)), 250, 'never at once')
  assert.equal(Math.min(...refused(86_400)), 60_000, 'never for hours')
})

// The spans of a launch: whose time it was, in causal order, and where it stopped. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { livenessCutoff } from '../../liveness/liveness.ts'
import type { Launch, LaunchFailure } from '../launch.ts'
import { buildSpans } from './spans.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const NEW = {
  id: 'lau_1',
  createdAt: START,
  expiresAt: START + 300_000,
  signIn: { endedAt: undefined, expiresAt: START + 43_200_000, lastSeenAt: START },
} as Launch

/** Milliseconds after the creation of each moment. */
function launchWith(times: Partial<Record<keyof Launch, number>>): Launch {
  const moved = Object.entries(times).map(([name, ms]) => [name, START + ms])
  return { ...NEW, ...Object.fromEntries(moved) }
}

const failed = (step: LaunchFailure['step'], ms: number, more: Partial<LaunchFailure> = {}) =>
  ({
    ...{ id: 'evt_1', launchId: 'lau_1', step, code: 'x', reason: 'secret_wrong', traceId: 't' },
    ...{ detail: undefined, failedAt: START + ms, receivedAt: START + ms - 6 },
    ...more,
  }) satisfies LaunchFailure as LaunchFailure

const reported = (step: LaunchFailure['step'], ms: number) =>
  failed(step, ms, { reason: 'host_reported', code: 'HANDSHAKE_TIMEOUT', receivedAt: undefined })

const READY = {
  openedAt: 157,
  authorizedAt: 691,
  authorizeReceivedAt: 691,
  authorizeAnsweredAt: 695,
  codeSpentAt: 1033,
  tokenExpiresAt: 3_601_000,
  exchangeReceivedAt: 1033,
  exchangeAnsweredAt: 1039,
  handshakeAt: 1300,
  contextAt: 1396,
}

/** `span outcome duration note` of each span. */
const draw = (launch: Launch, failures: readonly LaunchFailure[] = [], now = START + 2000) =>
  buildSpans(launch, failures, livenessCutoff(now, 43_200)).map(
    ({ span, outcome, durationMs, note }) =>
      [span, outcome, durationMs, note].filter((part) => part !== undefined).join(' '),
  )

test('gives each of four parties its own time', () => {
  const spans = buildSpans(launchWith(READY), [], livenessCutoff(START + 2000, 43_200))
  assert.deepEqual(
    spans.map(({ span, party, durationMs }) => [span, party, durationMs]),
    [
      ['open', 'host', 157],
      ['load', 'app_page', 534],
      ['authorize', 'service', 4],
      ['prepare', 'app_server', 338],
      ['exchange', 'service', 6],
      ['hello', 'app_page', 261],
      ['context', 'host', 96],
    ],
  )
})

test('names an app that never loaded, not the handshake that the host waited for', () => {
  assert.deepEqual(draw(launchWith({ openedAt: 100 }), [reported('handshake', 10_100)]), [
    'open ok 100',
    'load failed 10000',
    ...['authorize', 'prepare', 'exchange', 'hello', 'context'].map((s) => `${s} did_not_happen`),
  ])
})

test('shows a refused authorize and a refused exchange with their own time', () => {
  const refused = [failed('authorize', 500)]
  assert.deepEqual(draw(launchWith({ openedAt: 100 }), refused).slice(0, 4), [
    'open ok 100',
    'load ok 394',
    'authorize failed 6',
    'prepare did_not_happen',
  ])
  const { tokenExpiresAt, exchangeReceivedAt, exchangeAnsweredAt, ...codeOnly } = READY
  const { handshakeAt, contextAt, ...stopped } = codeOnly
  const seen = draw(launchWith(stopped), [failed('exchange', 1039), reported('handshake', 9000)])
  assert.deepEqual(seen.slice(3), [
    'prepare ok 338',
    'exchange failed 6',
    'hello did_not_happen',
    'context did_not_happen',
  ])
})

test('adds a reload of a used launch behind the launch that was ready', () => {
  const reload = failed('authorize', 5000, { reason: 'launch_used' })
  const seen = draw(launchWith(READY), [reload])
  assert.equal(seen.length, 8)
  assert.equal(seen.at(-1), 'authorize failed 6')
})

test('puts a hello before the exchange where the SDK posts the code', () => {
  const seen = draw(launchWith({ ...READY, handshakeAt: 800 }))
  assert.deepEqual(
    seen.map((text) => text.split(' ')[0]),
    ['open', 'load', 'authorize', 'hello', 'prepare', 'exchange', 'context'],
  )
})

test('runs until the launch is over, then nothing more happens', () => {
  const opened = launchWith({ openedAt: 100 })
  assert.deepEqual(draw(opened).slice(0, 3), ['open ok 100', 'load running', 'authorize waiting'])
  assert.deepEqual(draw(opened, [], START + 300_000).slice(1, 3), [
    'load failed',
    'authorize did_not_happen',
  ])
  const ended = launchWith({ openedAt: 100, endedAt: 200 })
  assert.deepEqual(draw(ended).slice(1, 3), ['load did_not_happen', 'authorize did_not_happen'])
})

test('clamps what clocks or late reports put out of order, and says so', () => {
  const late = draw(launchWith({ ...READY, openedAt: 800 }))
  assert.deepEqual(late.slice(0, 2), ['open ok 691 clamped', 'load ok 0'])
  const behind = draw(launchWith({ ...READY, exchangeReceivedAt: 600, exchangeAnsweredAt: 606 }))
  assert.deepEqual(behind.slice(3, 5), ['prepare ok 0 clamped', 'exchange ok 0 clamped'])
  const { openedAt, ...unreported } = READY
  assert.deepEqual(draw(launchWith(unreported)).slice(0, 2), [
    'open ok not_recorded',
    'load ok 691',
  ])
})

const moment = fc.option(fc.integer({ min: -1000, max: 10_000 }), { nil: undefined })
const anyTimes = fc.record(
  Object.fromEntries([...Object.keys(READY), 'endedAt'].map((name) => [name, moment])),
)
const anyFailures = fc.array(
  fc.record({
    step: fc.constantFrom('authorize', 'exchange', 'opened', 'handshake', 'context'),
    ms: fc.integer({ min: 0, max: 10_000 }),
    isReported: fc.boolean(),
  }),
  { maxLength: 4 },
)

test('holds its order, one failed span and no negative time for any row', () => {
  fc.assert(
    fc.property(anyTimes, anyFailures, fc.integer({ min: 0, max: 400_000 }), (times, fails, ms) => {
      const known = Object.entries(times).filter(([, at]) => at !== undefined)
      const failures = fails.map(({ step, ms: at, isReported }) =>
        isReported ? reported(step as 'opened', at) : failed(step as 'authorize', at),
      )
      const spans = buildSpans(
        launchWith(Object.fromEntries(known) as Record<string, number>),
        failures,
        livenessCutoff(START + ms, 43_200),
      )
      const starts = spans.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []))
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      )
      assert.ok(spans.every(({ durationMs = 0 }) => durationMs >= 0))
      const outcomes = spans.map(({ outcome }) => outcome)
      const at = outcomes.indexOf('failed')
      if (at >= 0) assert.ok(outcomes.slice(at + 1).every((one) => one === 'did_not_happen'))
      const firstMissing = outcomes.findIndex((one) => one !== 'ok')
      if (firstMissing >= 0) assert.ok(outcomes.slice(firstMissing).every((one) => one !== 'ok'))
    }),
    { numRuns: 2000 },
  )
})

// The rows of a launch: a try that failed before its step succeeded, and the one step that stopped it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Launch, LaunchSpan, LaunchStep } from './launch.ts'
import { describeLaterEvent, findStopped, isLate, listLaunchRows } from './launch-steps.ts'

const at = (ms: number) => new Date(ms).toISOString()
const span = (name: LaunchSpan['span'], from: number, durationMs: number): LaunchSpan => ({
  ...{ span: name, party: 'host', outcome: 'ok', startedAt: at(from), durationMs },
})
const failed = (step: LaunchStep['step'], ms: number, code: string): LaunchStep => ({
  ...{ step, at: at(ms), outcome: 'failed', code },
})
/** `id outcome from duration` of each row. */
const show = (launch: Pick<Launch, 'spans' | 'steps'>) =>
  listLaunchRows(launch).map(
    ({ id, outcome, startedAt = '', durationMs, isRecovered }) =>
      `${id} ${isRecovered ? 'tried' : outcome} ${Date.parse(startedAt)} ${durationMs}`,
  )

test('shows a step that failed before it succeeded in a row of its own', () => {
  const spans = [span('open', 0, 10), span('hello', 10, 90)]
  const steps = [failed('handshake', 40, 'HANDSHAKE_REFUSED'), failed('handshake', 70, 'AGAIN')]
  assert.deepEqual(show({ spans, steps }), [
    'open ok 0 10',
    'hello tried 10 30',
    'hello 2 tried 40 30',
    'hello 3 ok 70 30',
  ])
  assert.equal(isLate({ spans, steps, outcome: 'ready' }), true)
  assert.equal(isLate({ spans, steps, outcome: 'failed' }), false)
  assert.equal(findStopped({ spans }), undefined)
})

test('puts a silence of the host into the step that ran at that time', () => {
  const spans = [span('open', 0, 10), span('load', 10, 12_000), span('hello', 12_010, 20)]
  const steps = [failed('handshake', 10_010, 'HANDSHAKE_TIMEOUT')]
  assert.deepEqual(show({ spans, steps }), [
    'open ok 0 10',
    'load tried 10 10000',
    'load 2 ok 10010 2000',
    'hello ok 12010 20',
  ])
})

test('keeps the step that stopped a launch, and a failure after its success, in place', () => {
  const stopped = { ...span('exchange', 10, 5), outcome: 'failed', code: 'invalid_client' } as const
  const spans = [span('prepare', 0, 10), stopped]
  const steps = [failed('exchange', 15, 'invalid_client')]
  assert.deepEqual(show({ spans, steps }), ['prepare ok 0 10', 'exchange failed 10 5'])
  assert.equal(findStopped({ spans })?.span, 'exchange')
  const replay = { spans: [span('exchange', 0, 5), stopped], steps }
  assert.deepEqual(show(replay), ['exchange ok 0 5', 'exchange 2 failed 10 5'])
})

test('says what the host did at a change of the chart, and how long it took', () => {
  const step = 'chart_changed'
  assert.equal(
    describeLaterEvent({ step, handled: 'event', shownMs: 320 }),
    'Another chart: the app switched by itself, shown after 320 ms.',
  )
  assert.match(describeLaterEvent({ step, handled: 'returned' }) ?? '', /nothing changed\.$/)
  assert.equal(describeLaterEvent({ step: 'context' }), undefined)
  const cause = 'The server of the app was notified that the session ended.'
  assert.equal(describeLaterEvent({ step: 'logout', cause }), cause)
})

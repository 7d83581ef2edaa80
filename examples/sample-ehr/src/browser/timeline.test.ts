// Cards from the service's stream and the host's events: states, failures with reason and fix, steps that no
// span of the service names yet, and ends. Contract §3, §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostEvent, LaunchStates, type OpenFrame } from '@chartside/host'
import type { Launch, LaunchSpan, LaunchStep } from '@chartside/protocol/launch'
import { type Card, Timeline } from './timeline.ts'

const START = Date.parse('2026-03-02T09:00:00.000Z')
const at = (ms: number): string => new Date(START + ms).toISOString()

const ok = (step: LaunchStep['step'], ms: number): LaunchStep => ({
  step,
  at: at(ms),
  outcome: 'ok',
})

const failed = (
  step: LaunchStep['step'],
  ms: number,
  code: string,
  reason: string,
): LaunchStep => ({
  step,
  at: at(ms),
  outcome: 'failed',
  code,
  reason,
  cause: 'What happened.',
  fix: 'What to do.',
  traceId: 'trace1',
})

function view(steps: readonly LaunchStep[], state: Launch['state'] = 'opened'): HostEvent {
  return {
    type: 'launch',
    view: {
      id: 'lau_1',
      app: { id: 'app_1', name: 'Visit Notes' },
      kind: 'ui',
      account: { id: 'acc_1', name: 'Lakeside' },
      userId: 'usr_1',
      sessionId: 'ses_1',
      state,
      createdAt: at(0),
      expiresAt: at(300_000),
      ehrType: 'meadow',
      deviceId: 'd',
      outcome: 'opening',
      failureCount: 0,
      spans: [],
      steps,
    },
  }
}

/** The timeline reads only the launch of an event, never its frame. */
const frame = {} as OpenFrame
const expectedSteps = [
  'created',
  'opened',
  'authorize',
  'code',
  'exchange',
  'handshake',
  'context',
] as const

function draw(...events: readonly HostEvent[]): Card {
  const timeline = new Timeline()
  const states = new LaunchStates()
  for (const event of events) {
    timeline.apply(event, START + 5_000)
    const changed = states.apply(event)
    if (changed) timeline.setState(changed.launch, changed.state)
  }
  const card = timeline.cards().find(({ id }) => id === 'lau_1')
  assert.ok(card)
  return card
}

const span = (name: LaunchSpan['span'], outcome: LaunchSpan['outcome'], from = 0): LaunchSpan =>
  outcome === 'ok'
    ? { span: name, party: 'host', outcome, startedAt: at(from), durationMs: 40 }
    : { span: name, party: 'host', outcome }

const withSpans = (event: HostEvent, ...spans: readonly LaunchSpan[]): HostEvent =>
  event.type === 'launch' ? { ...event, view: { ...event.view, spans } } : event

const RUNS = [span('open', 'ok'), span('load', 'running'), span('authorize', 'waiting')]

test('names the time until ready, and says when a step had failed before', () => {
  const steps = expectedSteps.map((step, index) => ok(step, index * 10))
  assert.equal(draw(view(steps)).words, 'Ready in 60 ms')
  const early = failed('handshake', 20, 'HANDSHAKE_REFUSED', 'host_reported')
  const hello = span('hello', 'ok', 10)
  const card = draw(withSpans(view([...steps.slice(0, 5), early, ...steps.slice(5)]), hello))
  assert.deepEqual([card.state, card.words], ['ready', 'Ready in 60 ms, late'])
  assert.deepEqual(
    card.failures.map(({ step, isRecovered }) => [step, isRecovered]),
    [['Handshake', true]],
  )
})

test('shows a finding that host and service both name once, with its reason', () => {
  const found: HostEvent = {
    ...{ type: 'hello_timeout', frame, launch: 'lau_1', afterMs: 2_000, step: 'authorize' },
    ...{ code: 'page_fails', message: 'It answers 500.', fix: 'Look at its log.' },
  }
  const recorded = failed('handshake', 2_000, 'page_fails', 'page_not_opened')
  const { failures } = draw(view([ok('created', 0), recorded]), found)
  assert.deepEqual(
    failures.map(({ code, reason }) => [code, reason]),
    [['page_fails', 'page_not_opened']],
  )
})

test('shows the step that runs as failed before the service has recorded it', () => {
  const refused: HostEvent = {
    ...{ type: 'refused', frame, launch: 'lau_1', by: 'page', step: 'handshake' },
    ...{ code: 'server_unreachable', message: 'It stopped.', fix: 'Start it.', traceId: '' },
  }
  const card = draw(withSpans(view([ok('created', 0)]), ...RUNS), refused)
  assert.deepEqual(
    card.launch.spans.map(({ outcome }) => outcome),
    ['ok', 'failed', 'did_not_happen'],
  )
  assert.deepEqual([card.state, card.failures[0]?.cause], ['failed', 'It stopped.'])
})

test('names code, reason, cause, fix and trace id of a failed step', () => {
  const replay = failed('exchange', 90, 'invalid_grant', 'code_replayed')
  const card = draw(view([ok('created', 0), ok('exchange', 80), ok('ended', 90), replay], 'ended'))
  assert.equal(card.state, 'failed')
  assert.equal(card.words, 'Failed at Exchange')
  assert.deepEqual(card.failures[0], {
    step: 'Exchange',
    code: 'invalid_grant',
    reason: 'code_replayed',
    cause: 'What happened.',
    fix: 'What to do.',
    traceId: 'trace1',
    isRecovered: false,
  })
})

test('prefers the host’s own message for a failure that the host reported', () => {
  const message = 'The token endpoint answered 503.'
  const fix = 'Read the log of the token endpoint.'
  const code = 'TOKEN_FETCH_ERROR'
  const card = draw(
    {
      type: 'refused',
      frame,
      launch: 'lau_1',
      by: 'sdk',
      step: 'context',
      code,
      message,
      fix,
      traceId: '',
    },
    view([ok('created', 0), failed('context', 90, 'TOKEN_FETCH_ERROR', 'host_reported')]),
  )
  const [failure, ...others] = card.failures
  assert.deepEqual(others, [])
  assert.equal(failure?.cause, message)
  assert.equal(failure?.fix, fix)
})

test('shows a refusal once, by its reason, when the page reports it before the stream', () => {
  const report: HostEvent = {
    ...{ type: 'refused', frame, launch: 'lau_1', by: 'page', step: 'handshake' },
    ...{ code: 'invalid_client', message: 'Unknown or wrong.', fix: '', traceId: 'trace1' },
  }
  const refusal = failed('exchange', 90, 'invalid_client', 'secret_wrong')
  const again = failed('handshake', 95, 'INVALID_CLIENT', 'host_reported')
  const card = draw(
    report,
    view([ok('created', 0), refusal, { ...again, traceId: 'trace2' }], 'ended'),
  )
  assert.deepEqual(
    card.failures.map(({ reason, cause }) => [reason, cause]),
    [['secret_wrong', 'What happened.']],
  )
})

test('counts a failed attempt as resolved when the session context follows', () => {
  const early = failed('authorize', 10, 'invalid_request', 'request_malformed')
  const rest = expectedSteps.slice(1).map((step, index) => ok(step, 20 + index))
  assert.equal(draw(view([ok('created', 0), early, ...rest])).state, 'ready')
})

test('counts a reload of a used launch as failed, although it was ready', () => {
  const steps = expectedSteps.map((step, index) => ok(step, index))
  const reload = failed('authorize', 900, 'access_denied', 'launch_used')
  assert.equal(draw(view([...steps, reload], 'exchanged')).state, 'failed')
})

test('ends a card at sign-out even when the stream closes without a last view', () => {
  const card = draw(withSpans(view([ok('created', 0), ok('opened', 10)]), ...RUNS), {
    type: 'ended',
    frame,
    launch: 'lau_1',
    reason: 'signed_out',
  })
  assert.equal(card.state, 'ended')
  assert.match(card.notes[0]?.text ?? '', /signed out/)
  assert.equal(card.launch.spans[1]?.outcome, 'did_not_happen')
})

test('shows a replaced launch as replaced, without steps that wait', () => {
  const relaunched: HostEvent = {
    type: 'relaunched',
    frame,
    launch: 'lau_2',
    previous: 'lau_1',
    because: 'requested',
  }
  const running = draw(withSpans(view([ok('created', 0)]), ...RUNS), relaunched)
  assert.equal(running.words, 'Replaced')
  assert.ok(running.launch.spans.every(({ outcome }) => outcome !== 'running'))
  const refused = failed('exchange', 90, 'invalid_client', 'secret_wrong')
  assert.equal(draw(view([ok('created', 0), refused]), relaunched).state, 'failed')
})

test('shows 50 notes of a launch whose app sends hellos in a loop', () => {
  const ignored: HostEvent = {
    type: 'ignored',
    frame: { launch: { id: 'lau_1' } } as OpenFrame,
    reason: 'too_many_hellos',
    origin: 'https://notes.example',
    message: 'Dropped a hello.',
  }
  const card = draw(view([ok('created', 0)]), ...Array.from({ length: 2_000 }, () => ignored))
  assert.equal(card.notes.length, 50)
})

test('keeps launches apart and shows the newest first', () => {
  const timeline = new Timeline()
  const first = view([ok('created', 0)])
  const second = view([ok('created', 10)])
  timeline.apply(first, START)
  if (second.type === 'launch') {
    timeline.apply({ ...second, view: { ...second.view, id: 'lau_2', createdAt: at(10) } }, START)
  }
  assert.deepEqual(
    timeline.cards().map(({ id }) => id),
    ['lau_2', 'lau_1'],
  )
})

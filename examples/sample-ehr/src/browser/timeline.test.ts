// Cards from the service's stream and the host's events: steps with their times, pending steps,
// failures with reason and fix, and ends. Contract §3, §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostEvent, LaunchStates, type OpenFrame } from '@chartside/host'
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
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
  const card = timeline.card('lau_1')
  assert.ok(card)
  return card
}

const span = (name: 'open' | 'load', party: 'host' | 'app_page', durationMs: number) =>
  ({ span: name, party, outcome: 'ok', startedAt: at(0), durationMs }) as const

test('shows each step with its time, and whose time it was', () => {
  const spans = [span('open', 'host', 40), span('load', 'app_page', 1460)]
  const event = view([ok('created', 0), ok('opened', 40), ok('authorize', 1500)])
  const card = draw(event.type === 'launch' ? { ...event, view: { ...event.view, spans } } : event)
  const seen = card.steps.slice(0, 3).map(({ step, at, times }) => [step, at, times])
  assert.deepEqual(seen, [
    ['created', START, ''],
    ['opened', START + 40, '40 ms host'],
    ['authorize', START + 1500, '1.5 s app page'],
  ])
})

test('shows missing steps as pending, in their order', () => {
  const card = draw(view([ok('created', 0), ok('opened', 40)]))
  assert.equal(card.state, 'opening')
  const pending = card.steps.filter(({ outcome }) => outcome === 'pending')
  assert.deepEqual(
    pending.map(({ step }) => step),
    expectedSteps.slice(2),
  )
})

test('shows the duration of a launch from its session context on', () => {
  const card = draw(view(expectedSteps.map((step, index) => ok(step, index * 10))))
  assert.equal(card.state, 'ready')
  assert.equal(card.totalMs, 60)
})

test('keeps the order of events: a worker has its handshake before the exchange', () => {
  const steps = [
    'created',
    'opened',
    'authorize',
    'code',
    'handshake',
    'exchange',
    'context',
  ] as const
  const card = draw(view(steps.map((step, index) => ok(step, index))))
  assert.deepEqual(
    card.steps.map(({ step }) => step),
    steps,
  )
})

test('names code, reason, cause, fix and trace id of a failed step', () => {
  const replay = failed('exchange', 90, 'invalid_grant', 'code_replayed')
  const card = draw(view([ok('created', 0), ok('exchange', 80), ok('ended', 90), replay], 'ended'))
  assert.equal(card.state, 'failed')
  assert.deepEqual(card.steps.at(-1)?.failure, {
    code: 'invalid_grant',
    reason: 'code_replayed',
    cause: 'What happened.',
    fix: 'What to do.',
    traceId: 'trace1',
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
  const failure = card.steps.find(({ outcome }) => outcome === 'failed')?.failure
  assert.equal(failure?.cause, message)
  assert.equal(failure?.fix, fix)
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
  const card = draw(view([ok('created', 0), ok('opened', 10)]), {
    type: 'ended',
    frame,
    launch: 'lau_1',
    reason: 'signed_out',
  })
  assert.equal(card.state, 'ended')
  assert.equal(card.steps.at(-1)?.step, 'ended')
  assert.match(card.notes[0]?.text ?? '', /signed out/)
  assert.ok(card.steps.every(({ outcome }) => outcome !== 'pending'))
})

test('shows a replaced launch as replaced, without pending steps', () => {
  const relaunched: HostEvent = {
    type: 'relaunched',
    frame,
    launch: 'lau_2',
    previous: 'lau_1',
    because: 'requested',
  }
  const running = draw(view([ok('created', 0), ok('opened', 40)]), relaunched)
  assert.equal(running.state, 'replaced')
  assert.ok(running.steps.every(({ outcome }) => outcome === 'ok'))
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

// The state machine of a launch: one table of events and states, and what changes none. Contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
import type { HostEvent, OpenFrame } from './events.ts'
import { LaunchStates, NOT_STARTED, nextLaunchState, type OpeningEvent } from './launch-state.ts'

const frame = {} as OpenFrame
const of = { frame, launch: 'lau_1' }

const OPENED: HostEvent = { ...of, type: 'opened' }
const SLOW: HostEvent = { ...of, type: 'slow', afterMs: 2_000 }
const HELLO: HostEvent = { ...of, type: 'handshake', version: 1, sdkVersion: '1.0.0' }
const CONTEXT: HostEvent = { ...of, type: 'context', tokenExpiresAt: null }
const silent = (step: LaunchStep['step']): HostEvent => ({
  ...of,
  ...{
    type: 'hello_timeout',
    code: 'HANDSHAKE_TIMEOUT',
    afterMs: 10_000,
    step,
    message: 'm',
    fix: 'f',
  },
})
const SILENT = silent('authorize')
const REPORTED: HostEvent = {
  ...of,
  type: 'refused',
  by: 'page',
  step: 'handshake',
  code: 'server_unreachable',
  message: 'It is down.',
  fix: 'Start it.',
  traceId: '',
}
const SIGNED_OUT: HostEvent = { ...of, type: 'ended', reason: 'signed_out' }
const CLOSED: HostEvent = { ...of, type: 'ended', reason: 'closed' }

const ok = (step: LaunchStep['step']): LaunchStep => ({ step, outcome: 'ok', at: '' })
const failed = (step: LaunchStep['step'], code = 'invalid_grant'): LaunchStep => ({
  ...ok(step),
  outcome: 'failed',
  code,
})
const TIMEOUT = failed('handshake', 'HANDSHAKE_TIMEOUT')
const view = (steps: readonly LaunchStep[], state: Launch['state'] = 'opened'): HostEvent => ({
  type: 'launch',
  view: { id: 'lau_1', state, steps } as Launch,
})

/** The state as one word: `failed at exchange`, `opening, slow`, `ended: closed`. */
function stateAfter(events: readonly (HostEvent | OpeningEvent)[]): string {
  const state = events.reduce(nextLaunchState, NOT_STARTED)
  const hello = 'hasHello' in state && state.hasHello ? ', hello' : ''
  if (state.kind === 'opening') return `opening${state.isSlow ? ', slow' : ''}${hello}`
  if (state.kind === 'failed') return `failed at ${state.step}${hello}`
  return state.kind === 'ended' ? `ended: ${state.reason}` : state.kind
}

const REFUSED: OpeningEvent = { type: 'not_launched', code: 'service_unreachable', message: 'm' }
const DISABLED: OpeningEvent = { type: 'not_launched', code: 'app_not_available', message: 'm' }
const AUTHORIZED = view([ok('authorize'), ok('code')], 'authorized')
const EXCHANGED = view([ok('authorize'), ok('code'), ok('exchange')], 'exchanged')
const RELOADED = view([ok('code'), ok('context'), failed('authorize')])

for (const [expected, ...events] of [
  ['not_started'],
  ['opening', { type: 'requested' }],
  ['failed at created', { type: 'requested' }, REFUSED],
  ['disabled', { type: 'requested' }, DISABLED],
  ['opening', DISABLED, OPENED],
  ['opening, slow', OPENED, SLOW],
  ['opening, hello', OPENED, SLOW, HELLO],
  ['ready', OPENED, HELLO, CONTEXT],
  ['ready', OPENED, HELLO, CONTEXT, SLOW],
  ['ready', OPENED, HELLO, CONTEXT, SILENT],
  ['opening', OPENED, view([ok('created')])],
  ['opening', view([ok('created')])],
  ['ready', view([ok('created'), ok('context')])],
  ['failed at exchange', OPENED, view([ok('code'), failed('exchange')])],
  ['failed at exchange', OPENED, view([failed('exchange'), failed('handshake')]), SILENT],
  ['failed at exchange, hello', OPENED, view([failed('exchange')]), HELLO],
  ['opening', OPENED, view([failed('exchange'), ok('exchange')])],
  ['ready', OPENED, view([failed('exchange')]), HELLO, CONTEXT],
  ['ready', OPENED, HELLO, CONTEXT, view([failed('authorize'), ok('authorize')])],
  ['ready', OPENED, HELLO, CONTEXT, view([failed('exchange')])],
  ['failed at authorize, hello', OPENED, HELLO, CONTEXT, RELOADED],
  ['failed at authorize', OPENED, SILENT],
  ['failed at authorize', OPENED, SILENT, view([TIMEOUT])],
  ['failed at authorize', view([ok('created'), ok('opened'), TIMEOUT])],
  ['failed at exchange', OPENED, AUTHORIZED, silent('exchange')],
  ['failed at exchange', view([ok('authorize'), ok('code'), TIMEOUT])],
  ['failed at handshake', OPENED, EXCHANGED, silent('handshake')],
  ['failed at handshake', view([ok('authorize'), ok('exchange'), TIMEOUT])],
  ['failed at context', view([ok('authorize'), ok('exchange'), ok('handshake'), TIMEOUT])],
  ['failed at exchange', view([ok('authorize'), ok('handshake'), TIMEOUT])],
  ['opening', OPENED, SILENT, view([TIMEOUT, ok('authorize')])],
  ['failed at handshake', OPENED, REPORTED],
  ['failed at handshake', OPENED, REPORTED, view([failed('handshake', 'SERVER_UNREACHABLE')])],
  ['failed at handshake', OPENED, REPORTED, view([ok('created')])],
  ['failed at handshake, hello', OPENED, HELLO, CONTEXT, REPORTED],
  ['ready', OPENED, REPORTED, HELLO, CONTEXT],
  ['ended: signed_out', OPENED, HELLO, CONTEXT, SIGNED_OUT],
  ['ended: signed_out', OPENED, HELLO, CONTEXT, SIGNED_OUT, CLOSED],
  ['ended: signed_out', OPENED, CONTEXT, view([ok('context')], 'ended'), SIGNED_OUT],
  ['ended: expired', OPENED, CONTEXT, view([ok('context')], 'expired')],
  ['failed at exchange', OPENED, view([failed('exchange')], 'ended'), SIGNED_OUT],
  ['opening', OPENED, REPORTED, OPENED],
] as const satisfies readonly (readonly [string, ...(HostEvent | OpeningEvent)[]])[]) {
  const names = events.map((event) => ('view' in event ? describe(event.view) : event.type))
  test(`is ${expected} after ${names.join(' ') || 'nothing'}`.slice(0, 80), () => {
    assert.equal(stateAfter(events), expected)
  })
}

function describe({ steps }: Launch): string {
  return steps.map(({ step, outcome }) => `${outcome === 'ok' ? '' : '!'}${step}`).join('+')
}

test('keeps the words of the host for a failure that it reported itself', () => {
  const recorded = view([failed('handshake', 'SERVER_UNREACHABLE')])
  const state = [OPENED, REPORTED, recorded].reduce(nextLaunchState, NOT_STARTED)
  assert.partialDeepStrictEqual(state, { code: 'server_unreachable', cause: 'It is down.' })
})

test('keeps the states of launches apart, and names changes only', () => {
  const states = new LaunchStates()
  assert.equal(states.apply(OPENED)?.launch, 'lau_1')
  assert.equal(states.apply({ type: 'session_ended', reason: 'signed_out' }), null)
  assert.equal(states.apply(view([ok('created')])), null)
  assert.deepEqual(
    [states.find('lau_1').kind, states.find('lau_2').kind],
    ['opening', 'not_started'],
  )
})

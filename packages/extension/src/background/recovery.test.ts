// A background that was stopped and runs again, at each step of a launch. The state is what it had stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from './events.ts'
import { CHART, listTypes, live, play, signedIn } from './rules-fixture.ts'
import { emptyState, type State } from './state.ts'

const started = (changes: Partial<Extract<Event, { type: 'started' }>> = {}): Event => ({
  type: 'started',
  tabs: [1, 90],
  panels: [],
  hosted: [],
  now: 1_000,
  ...changes,
})

/** What is stored is JSON. */
const restart = (events: readonly Event[], changes = {}) =>
  play([started(changes)], JSON.parse(JSON.stringify(play(events).state)) as State)

test('polls on when it was stopped during a sign-in, and gives up after its time', () => {
  const during = signedIn().slice(0, 2)
  assert.deepEqual(listTypes(restart(during).effects), ['poll_sign_in'])
  const late = restart(during, { now: 700_000 })
  assert.deepEqual(late.state.signIn, { kind: 'out', because: 'timed_out' })
})

test('loads the practices again when it was stopped before their answer', () => {
  assert.deepEqual(listTypes(restart(signedIn().slice(0, 3)).effects), ['load_practices'])
})

test('asks for the session again when it was stopped before the answer', () => {
  const { state, effects } = restart([...signedIn(), { type: 'page_seen', tabId: 1, url: CHART }])
  assert.ok(effects[0]?.type === 'open_session' && effects[0].attempt === 2)
  assert.equal(state.tabs[1]?.session.kind, 'opening')
})

test('hosts the session when it was stopped before the offscreen document got it', () => {
  const { effects } = restart(live())
  assert.ok(effects[0]?.type === 'host')
  assert.deepEqual(
    effects[0].launches.map(({ id }) => id),
    ['lau_1', 'lau_2'],
  )
})

test('does nothing when the offscreen document hosts the session already', () => {
  assert.deepEqual(restart(live(), { hosted: ['ses_1'] }).effects, [])
})

const END = { type: 'end_session', token: 'st_1', sessionId: 'ses_1' } as const
const UNHOST = { type: 'unhost', sessionId: 'ses_1' } as const

test('ends the session of a tab that was closed meanwhile, hosted or not', () => {
  const lost = restart(live(), { tabs: [90] })
  assert.deepEqual(lost.effects, [UNHOST, END])
  assert.deepEqual(lost.state.tabs, {})
  const { effects } = restart(live(), { tabs: [90], hosted: ['ses_1'] })
  assert.deepEqual(effects.slice(0, 2), [UNHOST, END])
})

test('ends at the service what the offscreen document hosts for no tab', () => {
  const { effects } = restart(signedIn(), { hosted: ['ses_1'] })
  assert.deepEqual(effects, [UNHOST, END])
})

test('lists the sessions of the service only when an answer may have been lost', () => {
  const opening = [...signedIn(), { type: 'page_seen', tabId: 1, url: CHART } as const]
  const list = { type: 'list_sessions', token: 'st_1', isLater: true } as const
  assert.deepEqual(restart(opening).effects.at(-1), list)
  const gone = restart(opening, { tabs: [90] })
  assert.deepEqual(gone.effects, [list], 'its tab is closed, too')
  assert.deepEqual(restart(live(), { hosted: ['ses_1'] }).effects, [])
})

test('ends the launches of a panel that was closed meanwhile, and no others', () => {
  const events: Event[] = [
    ...live(),
    { type: 'panel_opened', tabId: 1, isEmbedded: false },
    { type: 'panel_launches', tabId: 1, launches: ['lau_2'] },
  ]
  const closed = restart(events, { hosted: ['ses_1'] })
  assert.deepEqual(closed.effects, [{ type: 'end_launch', token: 'st_1', launch: 'lau_2' }])
  assert.deepEqual(restart(events, { hosted: ['ses_1'], panels: [1] }).effects, [])
})

test('closes what a forgotten sign-in left in the offscreen document', () => {
  const { effects } = play([started({ hosted: ['ses_9'] })], emptyState('dev_1', null))
  assert.deepEqual(effects, [{ type: 'unhost', sessionId: 'ses_9' }])
})

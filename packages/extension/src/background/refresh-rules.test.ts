// What is asked for again: EHR definitions that were published again, and sessions that a stopped
// background opened without hearing of it. The right launch stays with the right tab, or ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHART,
  LAKESIDE,
  listTypes,
  live,
  play,
  SETTINGS,
  session,
  signedIn,
} from './rules-fixture.ts'

const MINUTE = 60_000
const windowFocused = (now: number) => ({ type: 'window_focused', now }) as const
const listed = (...sessions: string[]) =>
  ({ type: 'sessions_listed', token: 'st_1', sessions }) as const

test('asks for the EHR definitions again after five minutes, with what it knows', () => {
  const { state } = play(signedIn())
  assert.deepEqual(play([windowFocused(4 * MINUTE)], state).effects, [])
  const due = play([windowFocused(5 * MINUTE)], state)
  assert.deepEqual(due.effects, [
    { type: 'load_practices', token: 'st_1', accountId: null, known: [LAKESIDE] },
    { type: 'list_sessions', token: 'st_1', isLater: true },
  ])
  assert.deepEqual(play([windowFocused(6 * MINUTE)], due.state).effects, [])
  const putBack = play([windowFocused(-60 * MINUTE)], state)
  assert.deepEqual(listTypes(putBack.effects), ['load_practices', 'list_sessions'])
})

test('opens a session where a new definition recognises the page, and ends the others', () => {
  const { state } = play(live())
  const same = { type: 'practices_loaded', token: 'st_1', practices: [LAKESIDE] } as const
  assert.deepEqual(play([same], state).effects, [], 'nothing has changed')
  const [ehr] = LAKESIDE.ehrs
  assert.ok(ehr)
  const moved = { ...ehr, matches: ['https://elsewhere.example/*'] }
  const changed = { ...same, practices: [{ ...LAKESIDE, ehrs: [moved], etag: '"2"' }] }
  const { effects } = play([changed], state)
  assert.deepEqual(listTypes(effects), ['watch_pages', 'unhost', 'end_session'])
  const url = 'https://elsewhere.example/'
  const opened = play([changed, { type: 'page_seen', tabId: 2, url }], state)
  assert.deepEqual(listTypes(opened.effects), ['open_session'])
})

test('asks again at once when a session is refused or nothing is set up', () => {
  const failure = {
    ...{ code: 'invalid_request', message: 'No such EHR.', traceId: null },
    isTransient: false,
  }
  const { effects } = play([
    ...signedIn(),
    { type: 'page_seen', tabId: 1, url: CHART },
    { type: 'session_refused', tabId: 1, attempt: 1, failure },
  ])
  assert.deepEqual(listTypes(effects), ['load_practices', 'list_sessions'])
})

test('ends the session that a stopped background opened without hearing of it', () => {
  const opening = [...signedIn(), { type: 'page_seen', tabId: 1, url: CHART } as const]
  const found = { tabs: [1], panels: [], hosted: [], now: 0 }
  const again = play([...opening, { type: 'started', ...found }])
  assert.deepEqual(listTypes(again.effects), ['open_session', 'list_sessions'])
  // The list may hold the second session, too, before its answer is here.
  const early = play([listed('ses_1', 'ses_2')], again.state)
  assert.deepEqual(early.effects, [{ type: 'list_sessions', token: 'st_1', isLater: true }])
  const launches = { tabId: 1, attempt: 2, session: session('ses_2'), launches: [] }
  const late = play(
    [{ type: 'session_opened', ...launches }, listed('ses_1', 'ses_2')],
    early.state,
  )
  assert.deepEqual(late.effects, [{ type: 'end_session', token: 'st_1', sessionId: 'ses_1' }])
})

test('ends nothing by the list of another sign-in', () => {
  const foreign = { ...listed('ses_9'), token: 'st_0' }
  assert.deepEqual(play([...live(), foreign]).effects, [])
})

test('knows of no outage and no warning once the last chart is closed', () => {
  const news = [
    { type: 'reachable', isOffline: true },
    { type: 'sign_out_planned', at: 90_000 },
  ] as const
  const { state } = play([...live(), ...news])
  assert.ok(state.isOffline && state.signIn.kind === 'in' && state.signIn.signsOutAt === 90_000)
  const closed = play([{ type: 'tab_closed', tabId: 1 }], state)
  assert.ok(!closed.state.isOffline && closed.state.signIn.kind === 'in')
  assert.equal(closed.state.signIn.signsOutAt, null)
  assert.equal(play(news, closed.state).state.isOffline, false, 'a late word changes nothing')
  assert.equal(play([{ type: 'sign_out_asked' }], state).state.isOffline, false)
  const loading = play([...signedIn().slice(0, 3), news[0]])
  assert.ok(loading.state.isOffline, 'the practices are still asked for')
})

test('opens what an outage kept from opening once it may be over', () => {
  const reachable = (isReachable: boolean) =>
    ({ type: 'reachable', isOffline: !isReachable }) as const
  const refused = (isTransient: boolean) => {
    const failure = { code: 'unavailable', message: 'Later.', traceId: null, isTransient }
    return { type: 'session_refused', tabId: 2, attempt: 2, failure } as const
  }
  const opening = play([...live(), reachable(false), { type: 'page_seen', tabId: 2, url: CHART }])
  const failed = play([refused(true)], opening.state)
  assert.deepEqual(listTypes(play([reachable(true)], failed.state).effects), ['open_session'])
  assert.deepEqual(listTypes(play([windowFocused(1)], failed.state).effects), ['open_session'])
  const again = play([windowFocused(1), windowFocused(2)], failed.state)
  assert.deepEqual(again.effects, [], 'it is being opened')
  const forGood = play([refused(false)], opening.state)
  assert.deepEqual(play([windowFocused(1)], forGood.state).effects, [])
  const online = play([reachable(true), reachable(true)], failed.state)
  assert.deepEqual(online.effects, [], 'no answer of the service is news without an outage')
})

test('asks for the EHR definitions of another account at once when a policy names it', () => {
  const settings = { ...SETTINGS, accountId: 'acc_2' }
  const { effects } = play([...live(), { type: 'settings_changed', settings }])
  assert.deepEqual(effects[0], {
    type: 'load_practices',
    token: 'st_1',
    accountId: 'acc_2',
    known: [LAKESIDE],
  })
})

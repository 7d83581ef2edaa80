// Signing in and out, as rules: no browser, no service. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPanelState, NO_TAB } from './panel-state.ts'
import {
  LAKESIDE,
  listTypes,
  live,
  PERSON,
  PREPARED,
  play,
  SETTINGS,
  signedIn,
} from './rules-fixture.ts'
import { emptyState } from './state.ts'

const CLOSE_TAB = { type: 'close_sign_in_tab', tabId: 90, originTabId: 1 } as const

test('opens the sign-in tab, shows the match code, and closes the tab at the end', () => {
  const waiting = play(signedIn().slice(0, 2))
  assert.deepEqual(buildPanelState(waiting.state, 1).view, {
    kind: 'signing_in',
    matchCode: 'K7QM-29XD',
    expiresAt: 600_000,
  })
  const done = play(signedIn().slice(0, 3))
  assert.deepEqual(listTypes(done.effects), ['load_practices', 'close_sign_in_tab'])
  assert.deepEqual(done.effects[1], CLOSE_TAB)
  assert.deepEqual(buildPanelState(done.state, 1).person, {
    name: PERSON.name,
    email: PERSON.email,
  })
})

test('shows the waiting tab again instead of a second sign-in', () => {
  const asked = { type: 'sign_in_asked', prepared: PREPARED, originTabId: 2 } as const
  const again = play([...signedIn().slice(0, 2), asked])
  assert.deepEqual(again.effects, [{ type: 'show_tab', tabId: 90 }])
  const closed = [...signedIn().slice(0, 2), { type: 'tab_closed', tabId: 90 } as const]
  const shown = play([...closed, { type: 'sign_in_tab_asked', originTabId: 1 }])
  assert.deepEqual(listTypes(shown.effects), ['open_sign_in_tab'])
})

test('returns to the chart from which the sign-in was shown last, and never to itself', () => {
  const finish = signedIn()[2]
  assert.ok(finish)
  const originAfter = (originTabId: number | null) => {
    const show = { type: 'sign_in_tab_asked', originTabId } as const
    const { effects } = play([...signedIn().slice(0, 2), show, finish])
    return effects.flatMap((one) => (one.type === 'close_sign_in_tab' ? [one.originTabId] : []))
  }
  assert.deepEqual(originAfter(2), [2])
  assert.deepEqual(originAfter(90), [1], 'shown beside the sign-in tab')
  assert.deepEqual(originAfter(null), [1])
})

test('closes the sign-in tab with the way back, however the sign-in ends', () => {
  const waiting = signedIn().slice(0, 2)
  for (const end of [
    { type: 'sign_in_cancelled' },
    { type: 'sign_in_failed', sessionId: 'sign-in-1', because: 'refused' },
    { type: 'sign_out_asked' },
  ] as const) {
    assert.deepEqual(play([...waiting, end]).effects, [CLOSE_TAB], end.type)
  }
  const opened = signedIn()[1]
  assert.ok(opened)
  const late = play([...signedIn().slice(0, 1), { type: 'sign_in_cancelled' }, opened])
  assert.deepEqual(late.effects, [CLOSE_TAB], 'cancelled while the tab opened')
})

test('says beside the sign-in tab that its chart is gone, until the tab is closed', () => {
  const stranded = play([...live(), { type: 'sign_in_tab_stranded', tabId: 90 }])
  assert.equal(buildPanelState(stranded.state, NO_TAB).isOriginGone, true)
  assert.equal(buildPanelState(stranded.state, 1).isOriginGone, undefined)
  const closed = play([{ type: 'tab_closed', tabId: 90 }], stranded.state)
  assert.equal(buildPanelState(closed.state, NO_TAB).isOriginGone, undefined)
})

test('gives back a token that arrives after the person cancelled', () => {
  const { state, effects } = play([
    ...signedIn().slice(0, 2),
    { type: 'sign_in_cancelled' },
    {
      type: 'signed_in',
      service: 'https://former.example',
      sessionId: 'sign-in-1',
      token: 'st_late',
      person: PERSON,
      now: 0,
    },
  ])
  assert.equal(state.signIn.kind, 'out')
  assert.deepEqual(effects, [
    { type: 'sign_out', service: 'https://former.example', token: 'st_late' },
  ])
})

test('says why a sign-in failed, and ignores the failure of an earlier one', () => {
  const failed = play([
    ...signedIn().slice(0, 2),
    { type: 'sign_in_failed', sessionId: 'sign-in-1', because: 'refused' },
  ])
  assert.deepEqual(failed.state.signIn, { kind: 'out', because: 'refused' })
  const other = play([
    ...signedIn().slice(0, 2),
    { type: 'sign_in_failed', sessionId: 'sign-in-0', because: 'refused' },
  ])
  assert.equal(other.state.signIn.kind, 'waiting')
})

test('signs out: revokes the token, closes the frames, forgets token and sessions', () => {
  const { state, effects } = play([...live(), { type: 'sign_out_asked' }])
  assert.deepEqual(listTypes(effects), ['sign_out', 'unhost'])
  assert.doesNotMatch(JSON.stringify(state), /st_1|lnch_|ses_1/)
  assert.deepEqual(buildPanelState(state, 1).view, { kind: 'signed_out', because: null })
})

test('signs out with the reason when the sign-in ends at the service', () => {
  const ended = { type: 'session_ended', sessionId: 'ses_1', reason: 'signed_out' } as const
  const { state, effects } = play([...live(), ended])
  assert.deepEqual(state.signIn, { kind: 'out', because: 'signed_out' })
  assert.deepEqual(listTypes(effects), ['unhost'])
  assert.doesNotMatch(JSON.stringify(state), /st_1|lnch_/)
})

test('keeps the sign-in when one session ends, and asks whether it is live', () => {
  const ended = { type: 'session_ended', sessionId: 'ses_1', reason: 'closed' } as const
  const { state, effects } = play([...live(), ended])
  assert.deepEqual(listTypes(effects), ['unhost', 'check_sign_in'])
  assert.equal(buildPanelState(state, 1).view.kind, 'ended')
  const gone = play([{ type: 'signed_out', token: 'st_1', because: 'closed' }], state)
  assert.deepEqual(gone.state.signIn, { kind: 'out', because: 'closed' })
  const other = play([{ type: 'signed_out', token: 'st_0', because: 'closed' }], state)
  assert.equal(other.state.signIn.kind, 'in')
})

test('signs out of the former service when the address of the service changes', () => {
  const settings = { service: 'https://other.example', accountId: null, isManaged: true }
  const { state, effects } = play([...live(), { type: 'settings_changed', settings }])
  assert.deepEqual(effects, [
    { type: 'sign_out', service: SETTINGS.service, token: 'st_1' },
    { type: 'unhost', sessionId: 'ses_1' },
  ])
  assert.equal(state.settings?.service, 'https://other.example')
  assert.doesNotMatch(JSON.stringify(state), /st_1/)
})

test('asks for a set-up before anything else', () => {
  const { state, effects } = play(signedIn().slice(0, 1), emptyState('dev_1', null))
  assert.deepEqual(effects, [])
  assert.deepEqual(buildPanelState(state, 1).view, { kind: 'setup_needed' })
})

test('reports activity once a minute, and at once when the end is near', () => {
  const active = (now: number, isUrgent = false) => ({ type: 'active', now, isUrgent }) as const
  const { state } = play(live())
  assert.deepEqual(listTypes(play([active(30_000)], state).effects), [])
  assert.deepEqual(listTypes(play([active(60_000)], state).effects), ['report_activity'])
  assert.deepEqual(listTypes(play([active(60_000), active(61_000)], state).effects), [])
  assert.deepEqual(listTypes(play([active(1_000, true)], state).effects), ['report_activity'])
  const putBack = play([active(60_000), active(1_000)], state)
  assert.deepEqual(listTypes(putBack.effects), ['report_activity'], 'the clock was put back')
  const warned = play([{ type: 'sign_out_planned', at: 120_000 }], state)
  assert.equal(buildPanelState(warned.state, 1).signsOutAt, 120_000)
  const stayed = play([active(1_000)], warned.state)
  assert.deepEqual(listTypes(stayed.effects), ['report_activity'])
  assert.equal(buildPanelState(stayed.state, 1).signsOutAt, null)
})

test('loads nothing for a token that is not the present one', () => {
  const { state, effects } = play([
    ...signedIn().slice(0, 3),
    { type: 'practices_loaded', token: 'st_0', practices: [LAKESIDE] },
  ])
  assert.deepEqual(effects, [])
  assert.ok(state.signIn.kind === 'in' && state.signIn.practices === null)
})

test('signs out when the service ends the sign-in without activity [P04]', () => {
  for (const reason of ['idle', 'expired'] as const) {
    const { state } = play([...live(), { type: 'session_ended', sessionId: 'ses_1', reason }])
    assert.deepEqual(state.signIn, { kind: 'out', because: reason })
  }
})

test('gives back the token of a sign-in that was begun before the present one [U06]', () => {
  const { state, effects } = play([
    ...signedIn().slice(0, 2),
    {
      type: 'signed_in',
      service: SETTINGS.service,
      sessionId: 'sign-in-0',
      token: 'st_other',
      person: PERSON,
      now: 0,
    },
  ])
  assert.equal(state.signIn.kind, 'waiting')
  assert.deepEqual(effects, [{ type: 'sign_out', service: SETTINGS.service, token: 'st_other' }])
})

test('ends the sessions that an earlier run of the browser left, with the next sign-in', () => {
  const from = emptyState('dev_1', SETTINGS, ['ses_7'])
  const { state, effects } = play(signedIn().slice(0, 3), from)
  assert.deepEqual(effects.at(-1), { type: 'end_session', token: 'st_1', sessionId: 'ses_7' })
  assert.deepEqual(state.leftover, [])
})

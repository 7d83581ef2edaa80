// The pure function from state to view: what stands in the strip, over the frame, above and below it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PanelView as BackgroundView, PanelState } from '../messages.ts'
import { buildView, type PanelInput } from './panel-view.ts'
import { emptySlot, type Slot } from './slots.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 21, 24)
const PRACTICE = { id: 'acc_1', name: 'Lakeside' }
const PERSON = { name: 'Dr. Okafor', email: 'o@lakeside.example' }
const APPS = ['Visit Notes', 'Care Gaps'].map((name, index) => ({
  id: `app_${index + 1}`,
  name,
  kinds: ['ui' as const],
  autoLaunch: true,
}))
const SESSION: BackgroundView = {
  kind: 'session',
  sessionId: 'ses_1',
  ehrName: 'Meadow EHR',
  practice: PRACTICE,
  apps: APPS,
  workers: [],
}

const stateOf = (view: BackgroundView, more: Partial<PanelState> = {}): PanelState => ({
  view,
  person: PERSON,
  isOffline: false,
  signsOutAt: null,
  ...more,
})

const slotOf = (more: Partial<Slot> = {}): Slot => ({
  ...emptySlot('app_1', 'Visit Notes'),
  launchId: 'lau_1',
  ...more,
})

const viewOf = (more: Partial<PanelInput> = {}) =>
  buildView({
    state: stateOf(SESSION),
    slots: [slotOf({ state: { kind: 'ready' } })],
    chosen: null,
    unfolded: null,
    now: NOW,
    timeZone: 'America/New_York',
    ...more,
  })

const opening = (more: Partial<Slot> = {}) =>
  slotOf({
    state: { kind: 'opening', hasHello: false, isSlow: false },
    openingSince: NOW - 500,
    ...more,
  })

test('shows a ready app without a cover, with every app in the strip', () => {
  const view = viewOf()
  assert.equal(view.cover, null)
  assert.equal(view.appId, 'app_1')
  assert.deepEqual(
    view.tabs.map(({ name, badge }) => [name, badge]),
    [
      ['Visit Notes', undefined],
      ['Care Gaps', undefined],
    ],
  )
  assert.deepEqual(
    view.menu.map(({ id }) => id),
    ['again', 'report', 'signOut'],
  )
  const two = viewOf({ state: stateOf(SESSION, { canChangePractice: true }), slots: [] })
  assert.deepEqual(
    two.menu.map(({ id }) => id),
    ['practice', 'report', 'signOut'],
  )
})

test('covers an opening app without words at first, with words and ways out after 2 s', () => {
  const early = viewOf({ slots: [opening()] })
  assert.equal(early.cover?.kind === 'loading' && early.cover.title, null)
  const late = viewOf({ slots: [opening({ openingSince: NOW - 4200 })] }).cover
  assert.ok(late?.kind === 'loading')
  assert.match(`${late.title}. ${late.text}`, /Visit Notes is slow\. Still waiting for it, 4 s/)
  assert.deepEqual(
    late.buttons.map(({ action }) => action.type),
    ['launchAgain', 'closeApp'],
  )
})

test('uncovers an app at its hello', () => {
  const state = { kind: 'opening', hasHello: true, isSlow: false } as const
  assert.equal(viewOf({ slots: [opening({ state })] }).cover, null)
})

test('says that an app renews, and that it is slow when the renewal takes long', () => {
  const soon = viewOf({ slots: [opening({ isRenewing: true })] }).cover
  assert.equal(soon?.kind === 'loading' && soon.title, 'Renewing Visit Notes')
  const late = viewOf({ slots: [opening({ isRenewing: true, openingSince: NOW - 7000 })] }).cover
  assert.equal(late?.kind === 'loading' && late.title, 'Visit Notes is slow')
})

const FAILED = {
  kind: 'failed',
  hasHello: true,
  step: 'exchange',
  code: 'invalid_client',
  cause: 'The secret is wrong.',
  fix: 'Check client_id and client_secret.',
} as const

test('shows a failure in the words of a provider, with codes for support only', () => {
  const { cover, tabs } = viewOf({
    slots: [slotOf({ state: FAILED, traceId: 'cf58', overSince: NOW })],
  })
  assert.ok(cover?.kind === 'page')
  const words = [cover.page.title, ...cover.page.text].join(' ')
  assert.doesNotMatch(words, /client|secret|exchange|cf58/)
  assert.deepEqual(
    cover.page.support?.map(({ name, value }) => `${name}: ${value}`),
    [
      'App: Visit Notes',
      'State: failed',
      'Step: Exchange',
      'Code: invalid_client',
      'Trace: cf58',
      'Time: 6:21:24 PM EST (2026-11-21 23:21:24.000 UTC)',
      'EHR: Meadow EHR',
      'Practice: Lakeside',
    ],
  )
  assert.equal(tabs[0]?.badge?.words, 'could not open')
})

test('never covers a frame with work that is not saved, and says what to do with it', () => {
  const kept = { hasUnsavedWork: true, overSince: NOW }
  for (const state of [FAILED, { kind: 'ended', hasHello: true, reason: 'closed' }] as const) {
    const view = viewOf({ slots: [slotOf({ state, ...kept })] })
    assert.equal(view.cover, null)
    assert.deepEqual(
      view.notices.map(({ id }) => id),
      ['kept'],
    )
  }
})

test('keeps work that is not saved in sight when the person is signed out', () => {
  const ended = slotOf({
    state: { kind: 'ended', hasHello: true, reason: 'expired' },
    hasUnsavedWork: true,
  })
  const signedOut = stateOf({ kind: 'signed_out', because: 'expired' }, { person: null })
  const view = viewOf({ state: signedOut, slots: [ended, emptySlot('app_2', 'Care Gaps')] })
  assert.equal(view.cover, null)
  assert.deepEqual(
    view.tabs.map(({ name }) => name),
    ['Visit Notes'],
  )
  assert.deepEqual(view.menu, [])
})

test('says that an administrator switched an app off, with the time when it is known', () => {
  const disabled = slotOf({ state: { kind: 'disabled', cause: 'The app is disabled.' } })
  const { cover, tabs } = viewOf({ slots: [disabled] })
  assert.ok(cover?.kind === 'page')
  assert.equal(cover.page.title, 'Visit Notes was switched off')
  assert.equal(tabs[0]?.badge?.words, 'switched off')
})

test('says when an administrator switched off an app that was open', () => {
  const state = { kind: 'ended', hasHello: true, reason: 'app_disabled' } as const
  const { cover } = viewOf({ slots: [slotOf({ state, overSince: NOW })] })
  assert.equal(
    cover?.kind === 'page' && cover.page.text[0],
    'An administrator stopped it at 6:21 PM.',
  )
})

test('offers to stay only where activity moves the end of the sign-in', () => {
  const endsSoon = (reason: 'idle' | 'expired') =>
    viewOf({ signInEnds: { at: NOW + 112_000, reason } }).notices[0]
  assert.deepEqual(endsSoon('idle')?.button?.action, { type: 'stay' })
  assert.equal(endsSoon('expired')?.button, undefined)
  assert.equal(endsSoon('expired')?.title, 'You will be signed out in 1:52')
})

test('stacks two notices at most, the most urgent first', () => {
  const slot = slotOf({ state: { kind: 'ready' }, renewsAt: NOW + 60_000 })
  const state = stateOf(SESSION, { isOffline: true, signsOutAt: NOW + 112_000 })
  const { notices } = viewOf({ state, slots: [slot] })
  assert.deepEqual(
    notices.map(({ id, title }) => `${id}: ${title}`),
    ['ends-soon: You will be signed out in 1:52', 'offline: No connection to Chartside'],
  )
})

test('announces a renewal above the app while there is time to save', () => {
  const slot = slotOf({ state: { kind: 'ready' }, renewsAt: NOW + 60_000 })
  assert.equal(viewOf({ slots: [slot] }).notices[0]?.title, 'Visit Notes renews in 1:00')
})

test('lists background apps on request, with a way to try a failed one again', () => {
  const failed = { kind: 'failed', code: 'X', cause: '', fix: '' } as const
  const workers = [
    { appId: 'app_8', name: 'Coding Watch', state: failed },
    { appId: 'app_9', name: 'Recall Finder', state: { kind: 'ready' } },
  ] as const
  const state = stateOf({ ...SESSION, workers })
  const { background } = viewOf({ state })
  assert.deepEqual([background?.count, background?.words], [1, 'needs attention'])
  const { cover } = viewOf({ state, unfolded: 'background' })
  assert.ok(cover?.kind === 'background')
  assert.deepEqual(
    cover.background.rows.map(({ words, button }) => [words, button?.action]),
    [
      ['Could not start', { type: 'send', command: { type: 'retryWorker', appId: 'app_8' } }],
      ['Working', undefined],
    ],
  )
})

test('offers diagnostics to developers only, also when a provider had them open', () => {
  const step = { step: 'exchange', at: '2026-11-21T23:21:24.006Z', outcome: 'failed' } as const
  const slot = slotOf({
    state: FAILED,
    notes: [
      { at: NOW, name: 'opened', detail: '' },
      { at: NOW + 2100, name: 'slow', detail: 'no hello after 2000 ms' },
    ],
    steps: [
      { step: 'opened', at: '2026-11-21T23:21:24.000Z', outcome: 'ok' },
      { ...step, code: 'invalid_client', cause: 'The secret is wrong.', fix: 'Use the live one.' },
    ],
  })
  const developer = stateOf(SESSION, { person: { ...PERSON, isDeveloper: true } })
  const view = viewOf({ state: developer, slots: [slot], unfolded: 'diagnostics' })
  assert.ok(view.menu.some(({ id }) => id === 'diagnostics'))
  assert.ok(view.cover?.kind === 'diagnostics')
  assert.deepEqual(
    view.cover.diagnostics.rows.map(({ name, outcome, after }) => [name, outcome, after]),
    [
      ['opened', 'ok', ''],
      ['exchange', 'failed', '+6 ms'],
      ['slow', 'note', '+2.1 s'],
    ],
  )
  assert.match(view.cover.diagnostics.report, /exchange failed invalid_client The secret is wrong/)
  const provider = viewOf({ slots: [slot], unfolded: 'diagnostics' })
  assert.equal(provider.cover?.kind, 'page')
  assert.ok(!provider.menu.some(({ id }) => id === 'diagnostics'))
})

test('shows that it starts until the background has answered', () => {
  const { cover, menu, who } = viewOf({ state: null, slots: [] })
  assert.equal(cover?.kind === 'page' && cover.page.id, 'starting')
  assert.deepEqual([menu, who], [[], null])
})

// The state pages where no app is: each view of the background has its page, with its words and buttons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PanelView as BackgroundView, PanelState } from '../messages.ts'
import { buildPage } from './pages.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 21, 24)
const PRACTICE = { id: 'acc_1', name: 'Lakeside' }
const PERSON = { name: 'Dr. Okafor', email: 'o@lakeside.example' }

const pageOf = (view: BackgroundView, more: Partial<PanelState> = {}) =>
  buildPage({ view, person: PERSON, isOffline: false, signsOutAt: null, ...more }, NOW)

test('shows the state page of each view that has no apps', () => {
  const out = { person: null }
  const ids = [
    pageOf({ kind: 'setup_needed' }, out),
    pageOf({ kind: 'signed_out', because: null }, out),
    pageOf({ kind: 'signing_in', matchCode: 'ZQYP-J9HB', expiresAt: NOW + 581_000 }, out),
    pageOf({ kind: 'no_ehr', ehrs: [], missingAccess: [] }),
    pageOf({ kind: 'choose_practice', ehrName: 'Meadow EHR', practices: [PRACTICE] }),
    pageOf({ kind: 'opening', ehrName: 'Meadow EHR', practice: PRACTICE }),
    pageOf({ kind: 'nothing_set_up', ehrName: 'Meadow EHR', practice: PRACTICE }),
    pageOf({ kind: 'ended', reason: 'expired', ehrName: 'Meadow EHR' }),
    pageOf({ kind: 'failed', ehrName: 'Meadow EHR', code: 'x', message: 'y', traceId: null }),
  ].map((page) => page?.id)
  assert.deepEqual(ids, [
    'setup-needed',
    'signed-out',
    'signing-in',
    'no-ehr',
    'choose-practice',
    'opening-session',
    'nothing-set-up',
    'session-ended',
    'session-failed',
  ])
})

test('shows the match code with the time that is left', () => {
  const page = pageOf({ kind: 'signing_in', matchCode: 'ZQYP-J9HB', expiresAt: NOW + 581_000 })
  assert.equal(page?.matchCode, 'ZQYP-J9HB')
  assert.equal(page?.notes?.[0], '9:41 left')
})

test('asks for access to an EHR in the press of a button', () => {
  const missingAccess = [{ ehrName: 'Meadow EHR', origins: ['https://meadow.example/*'] }]
  const page = pageOf({
    kind: 'no_ehr',
    ehrs: [{ name: 'Meadow EHR', practice: 'Lakeside' }],
    missingAccess,
  })
  assert.deepEqual(page?.buttons[0]?.action, {
    type: 'allow',
    ehrName: 'Meadow EHR',
    origins: ['https://meadow.example/*'],
  })
  assert.match(page.text.join(' '), /To notice an open chart.* permission for Meadow EHR/)
})

test('says whether the person or the browser refused the access to an EHR', () => {
  const view = {
    kind: 'no_ehr',
    ehrs: [{ name: 'Meadow EHR', practice: 'Lakeside' }],
    missingAccess: [{ ehrName: 'Meadow EHR', origins: ['https://meadow.example/*'] }],
  } as const
  const state = { view, person: PERSON, isOffline: false, signsOutAt: null }
  const textAfter = (ehrName: string, by: 'person' | 'browser') =>
    buildPage(state, NOW, { accessRefusal: { ehrName, by } }).text.join(' ')
  assert.match(textAfter('Meadow EHR', 'person'), /You did not allow Meadow EHR/)
  assert.match(textAfter('Meadow EHR', 'browser'), /does not let Chartside ask for Meadow EHR/)
  const granted = { ...state, view: { ...view, missingAccess: [] } }
  const page = buildPage(granted, NOW, { accessRefusal: { ehrName: 'Meadow EHR', by: 'person' } })
  assert.doesNotMatch(page.text.join(' '), /allow/, 'granted meanwhile, in the settings perhaps')
})

test('says that apps work in the background when none has a panel', () => {
  const session = { kind: 'session', sessionId: 'ses_1', ehrName: 'Meadow EHR' } as const
  const page = pageOf({ ...session, practice: PRACTICE, apps: [], workers: [] })
  assert.equal(page.id, 'only-background')
})

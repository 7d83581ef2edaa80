// What a person does to a draft, and the words for what it would change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectionContent } from '@chartside/protocol/payloads'
import { describeFound } from '../../parts/chart-words.ts'
import { describeChanges } from '../../parts/version-changes.ts'
import {
  addApp,
  cellOf,
  ehrOf,
  listAffected,
  putEhr,
  removeApp,
  removeEhr,
  setAutoLaunch,
  setOnChartChange,
  toggle,
} from './draft-rules.ts'

const MEADOW = { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://ehr.example/*'] }
const SUMMIT = { ehrType: 'summit', name: 'Summit Clinical', matches: ['https://summit.example/*'] }
const BOTH: CollectionContent = {
  ehrs: [MEADOW, SUMMIT],
  apps: [{ appId: 'app_notes', autoLaunch: true }],
}
const NAMES: Readonly<Record<string, string>> = { app_notes: 'Visit Notes', app_gaps: 'Care Gaps' }
const nameOf = (id: string) => NAMES[id] ?? id
const texts = (before: CollectionContent | undefined, after: CollectionContent) =>
  describeChanges(before, after, nameOf).map(({ kind, text }) => `${kind}: ${text}`)

test('switches an app off on one EHR and on again everywhere', () => {
  const off = toggle(BOTH, 'app_notes', 'summit')
  assert.deepEqual(off.apps, [{ appId: 'app_notes', autoLaunch: true, ehrTypes: ['meadow'] }])
  const none = toggle(off, 'app_notes', 'meadow')
  assert.deepEqual(none.apps[0]?.ehrTypes, [], 'it stays in the draft')
  const back = toggle(toggle(none, 'app_notes', 'meadow'), 'app_notes', 'summit')
  assert.deepEqual(back, BOTH, 'on every EHR, also on later ones')
})

test('shows each cell against what is published', () => {
  const draft = addApp(toggle(BOTH, 'app_notes', 'summit'), 'app_gaps')
  const cell = (app: string, ehr: string) => cellOf(draft, BOTH, app, ehr)
  assert.equal(cell('app_notes', 'meadow'), 'on')
  assert.equal(cell('app_notes', 'summit'), 'removed')
  assert.equal(cell('app_gaps', 'meadow'), 'added')
  assert.equal(cellOf(draft, undefined, 'app_notes', 'summit'), 'off')
})

test('says in words what a version would change', () => {
  const draft = setAutoLaunch(
    addApp(toggle(BOTH, 'app_notes', 'summit'), 'app_gaps'),
    'app_notes',
    false,
  )
  assert.deepEqual(texts(BOTH, draft), [
    'removed: Visit Notes on Summit Clinical',
    'added: Care Gaps on Meadow EHR',
    'added: Care Gaps on Summit Clinical',
    'added: Visit Notes opens when the provider chooses it',
  ])
  assert.deepEqual(texts(BOTH, BOTH), [])
  assert.deepEqual(texts(undefined, { ehrs: [MEADOW], apps: BOTH.apps }), [
    'added: Meadow EHR is recognised at https://ehr.example/*',
    'added: Visit Notes on Meadow EHR',
  ])
})

test('names an EHR that goes once, and says where one moves', () => {
  assert.deepEqual(texts(BOTH, removeEhr(BOTH, 'summit')), [
    'removed: Summit Clinical, with its apps',
  ])
  const moved = putEhr(BOTH, { ...MEADOW, matches: ['https://new.example/*'] }, 'meadow')
  assert.deepEqual(texts(BOTH, moved), [
    'removed: Meadow EHR at https://ehr.example/*',
    'added: Meadow EHR at https://new.example/*',
  ])
})

test('keeps the apps of an EHR whose type is changed', () => {
  const only = toggle(BOTH, 'app_notes', 'summit')
  const renamed = putEhr(only, { ...MEADOW, ehrType: 'meadow-2' }, 'meadow')
  assert.deepEqual(renamed.apps[0]?.ehrTypes, ['meadow-2'])
  assert.deepEqual(removeApp(renamed, 'app_notes').apps, [])
})

test('tells who follows the latest version and who stays', () => {
  const runner = (id: string, version: number | 'latest') => ({
    ...{ id, name: id, collection: { id: 'col_1', version } },
  })
  const { following, pinned } = listAffected([runner('a', 'latest'), runner('b', 3)])
  assert.deepEqual([following.map(({ id }) => id), pinned.map(({ id }) => id)], [['a'], ['b']])
})

test('says in words what a version would change about charts', () => {
  const charts = ['https://ehr.example/patients/:chart{/*}?']
  const ehr = { ...MEADOW, charts, chartMode: 'observe' } as const
  const draft = setOnChartChange(putEhr(BOTH, ehr, 'meadow'), 'app_notes', 'cover')
  assert.deepEqual(texts(BOTH, draft), [
    `added: Charts of Meadow EHR at ${charts[0]}`,
    'added: Meadow EHR: chart changes are only recorded',
    'added: Visit Notes, when another chart is opened: it is covered, and the provider decides',
  ])
  assert.deepEqual(setOnChartChange(draft, 'app_notes', 'relaunch').apps, BOTH.apps)
})

test('writes of an EHR what differs from the default, and takes it back', () => {
  const fields = {
    name: ' Meadow EHR ',
    ehrType: 'meadow',
    matches: 'https://ehr.example/*\n',
    charts: '',
    isObserving: false,
    panelOpens: 'last',
  } as const
  const plain = { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://ehr.example/*'] }
  assert.deepEqual(ehrOf(fields), plain)
  const charts = 'https://ehr.example/patients/:chart{/*}?'
  const changed = { ...fields, charts, isObserving: true, panelOpens: 'ask' } as const
  const ehr = ehrOf(changed)
  assert.deepEqual(ehr, {
    ...plain,
    charts: [charts],
    chartMode: 'observe',
    panelOpens: 'ask',
  })
  const draft = putEhr(BOTH, ehr, 'meadow')
  assert.deepEqual(putEhr(draft, ehrOf(fields), 'meadow').ehrs[0], plain)
  const opens = (...of: Parameters<typeof texts>) =>
    texts(...of).filter((text) => text.includes('opens'))
  assert.deepEqual(opens(BOTH, draft), [
    'added: The panel of Meadow EHR opens no app, until the provider chooses one',
  ])
  assert.deepEqual(opens(draft, BOTH), [
    'added: The panel of Meadow EHR opens the app that the provider opened last at this EHR',
  ])
})

test('tries patterns of charts out on an address that a person types', () => {
  const patterns = ['https://ehr.example/patients/:chart{/*}?']
  const tried = (address: string) => describeFound(patterns, address)
  assert.equal(tried(''), '')
  assert.equal(tried('https://ehr.example/patients/7/notes'), 'The chart is “7”.')
  assert.equal(tried('https://ehr.example/schedule'), 'No chart in this address.')
  assert.match(tried('patients/7'), /whole address/)
  assert.match(describeFound(['https://ehr.example/*'], 'https://ehr.example/7'), /:chart/)
})

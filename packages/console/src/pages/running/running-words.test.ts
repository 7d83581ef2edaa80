// What runs in an account, in words: what an app learns, where it opens, and the version.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Running, RunningApp } from '@chartside/protocol/payloads'
import { describeEhrs, describeLearned, describeVersion } from './running-words.ts'

const EHRS = [
  { ehrType: 'meadow', name: 'Meadow EHR', matches: [] },
  { ehrType: 'summit', name: 'Summit Clinical', matches: [] },
]
const collection = {
  id: 'col_1',
  name: 'Primary care',
  owner: { id: 'acc_2', name: 'Sample Apps' },
}
const running: Running = {
  ...{ collection, version: 8, follows: 'latest', ehrs: EHRS, apps: [], change: null },
}
const account = { id: 'acc_1', name: 'Lakeside' }

test('names what an app learns of people, who they are first', () => {
  assert.equal(describeLearned([]), 'Nothing in this week')
  assert.equal(describeLearned(['sub']), 'An identifier')
  assert.equal(
    describeLearned(['sub', 'account', 'ehr_type', 'device_id', 'name', 'email']),
    'Name, e-mail address, an identifier, practice, EHR and device',
  )
})

test('names the EHRs of an app by the names of the version', () => {
  const app = (ehrTypes: readonly string[]) =>
    ({ ehrTypes, offOn: [] as string[] }) as unknown as RunningApp
  assert.equal(describeEhrs(app(['summit', 'meadow']), EHRS), 'All 2 EHRs')
  const third = { ehrType: 'harbor', name: 'Harbor', matches: [] }
  const two = describeEhrs(app(['summit', 'meadow']), [...EHRS, third])
  assert.equal(two, 'Meadow EHR, Summit Clinical')
  assert.equal(describeEhrs(app([]), EHRS), 'none')
  const off = { ...app(['summit', 'meadow']), offOn: ['meadow'] }
  assert.equal(describeEhrs(off, EHRS), 'Summit Clinical')
})

test('says whose version runs, and whether newer ones come by themselves', () => {
  assert.equal(
    describeVersion(running, account),
    '“Primary care” of Sample Apps, version 8. Lakeside follows the latest.',
  )
  const own = { ...running, follows: 7, version: 7, collection: { ...collection, owner: account } }
  assert.equal(
    describeVersion(own, account),
    '“Primary care” of its own, version 7. It is pinned: no newer version comes by itself.',
  )
  const none = { ...running, collection: null, version: null, follows: null }
  assert.equal(describeVersion(none, account), 'Lakeside runs no collection.')
})

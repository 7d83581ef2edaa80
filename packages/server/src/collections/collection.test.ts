// The rules of collections: what a session gets, what may be published, what a version changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildChanges, decideSessionContent, listContentProblems } from './collection.ts'

const ehr = (ehrType: string, matches = ['https://ehr.example/*']) => ({
  ehrType,
  name: ehrType,
  matches,
})
const app = (appId: string, ehrTypes?: string[]) => ({
  appId,
  autoLaunch: true,
  ...(ehrTypes ? { ehrTypes } : {}),
})

test('gives a session its EHR definition and the apps of that EHR, in order', () => {
  const content = {
    ehrs: [ehr('meadow'), ehr('summit')],
    apps: [app('c', ['summit']), app('b'), app('a', ['meadow', 'summit']), app('none', [])],
  }
  const summit = decideSessionContent(content, 'summit')
  assert.deepEqual(summit?.ehr, ehr('summit'))
  assert.deepEqual(
    summit?.apps.map(({ appId }) => appId),
    ['c', 'b', 'a'],
  )
  assert.equal(decideSessionContent(content, 'meadow')?.apps.length, 2)
  assert.equal(decideSessionContent(content, 'unknown'), undefined)
})

test('says for each field why a draft cannot be published', () => {
  const content = {
    ehrs: [
      ehr('meadow'),
      ehr('meadow', ['ehr.example/*', 'https://*/*', 'http://*.x.org:80/a?b=*']),
    ],
    apps: [app('known'), app('known', ['summit']), app('gone')],
  }
  const problems = listContentProblems(content, (id) => id === 'known')
  assert.deepEqual(
    problems.map(({ field }) => field),
    [
      '/draft/ehrs/1/ehrType',
      '/draft/ehrs/1/matches/0',
      '/draft/ehrs/1/matches/1',
      '/draft/apps/1/appId',
      '/draft/apps/1/ehrTypes/0',
      '/draft/apps/2/appId',
    ],
  )
  assert.deepEqual(
    listContentProblems({ ehrs: [], apps: [] }, () => false),
    [],
  )
})

test('lists what a version added, removed and changed', () => {
  const before = { ehrs: [ehr('meadow'), ehr('old')], apps: [app('a'), app('b', ['meadow'])] }
  const after = {
    ehrs: [{ name: 'meadow', matches: ['https://ehr.example/*'], ehrType: 'meadow' }, ehr('new')],
    apps: [app('b'), app('a'), app('c')],
  }
  assert.deepEqual(buildChanges(before, after), {
    ehrs: { added: ['new'], removed: ['old'], changed: [] },
    apps: { added: ['c'], removed: [], changed: ['b'] },
  })
  assert.deepEqual(buildChanges(undefined, before), {
    ehrs: { added: ['meadow', 'old'], removed: [], changed: [] },
    apps: { added: ['a', 'b'], removed: [], changed: [] },
  })
  const nothing = { added: [], removed: [], changed: [] }
  assert.deepEqual(buildChanges(before, before), { ehrs: nothing, apps: nothing })
})

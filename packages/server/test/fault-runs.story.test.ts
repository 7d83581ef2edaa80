// Runs of the fault studio at the service: handed in by a developer in staging, graded again, compared with the
// run before, bounded, and refused elsewhere. Contract §15; decision 84.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_FAULT_RUNS } from '../src/fault-runs/fault-run-store.ts'
import { beginPeople, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let staging: Story
let path: string
before(async () => {
  staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  beginPeople(staging)
  path = `/api/apps/${staging.app.id}/fault-runs`
})
after(() => staging.close())

const check = (state: string) => ({
  ...{
    name: 'sends-no-code',
    part: 'safety',
    title: 'Exchanges nothing',
    state,
    evidence: 'Seen.',
  },
})
const runOf = (state: string, more: object = {}) => ({
  ...{ app: 'Visit Notes', startedAt: '2026-11-21T18:21:00.000Z', tookMs: 90_000 },
  ...{ commit: '9f31c02', grade: { level: 'A', points: 100, bars: [] } },
  faults: [
    {
      ...{ name: 'state-changed', step: 'callback', title: 'state is changed', outcome: 'handled' },
      ...{ checks: [check(state)], tookMs: 900, wire: [{ atMs: 1, event: '302' }], saw: 'A page.' },
    },
  ],
  ...more,
})
const handIn = (run: object) => staging.api('POST', path, run)

test('grades a run again from its checks, and compares it with the run before', async () => {
  const first = await handIn(runOf('failed'))
  assert.equal(first.statusCode, 201, first.body)
  const { grade, faults, before: none } = first.json()
  // The run called itself an A.
  assert.deepEqual([grade.level, faults[0].outcome, none], ['D', 'not_handled', null])
  staging.service.clock.advance(1)
  const second = (await handIn(runOf('passed'))).json()
  assert.deepEqual(second.before.better, ['state-changed'])
  const shown = await staging.api('GET', `${path}/${second.id}`)
  assert.deepEqual(shown.json(), second)
  const { items } = (await staging.api('GET', path)).json()
  assert.deepEqual(
    items.map(({ id, level, faults }: { id: string; level: string; faults: number }) => [
      ...[id, level, faults],
    ]),
    [
      [second.id, 'A', 1],
      [first.json().id, 'D', 1],
    ],
  )
})

test('refuses a run with more than a run has, and one of another shape', async () => {
  const [fault] = runOf('passed').faults
  const many = Array.from({ length: 61 }, () => fault)
  assert.equal((await handIn(runOf('passed', { faults: many }))).statusCode, 400)
  assert.equal((await handIn(runOf('well'))).statusCode, 400)
  const large = runOf('passed', { grade: { text: 'x'.repeat(300_000) } })
  assert.equal((await handIn(large)).statusCode, 413)
})

test('shows a run to developers of the app alone, and never by another app', async () => {
  const { id } = (await handIn(runOf('passed'))).json()
  const provider = await person()
  assert.equal((await provider.api('GET', `${path}/${id}`)).statusCode, 403)
  assert.equal((await provider.api('POST', path, runOf('passed'))).statusCode, 403)
  const another = await staging.api('POST', '/api/apps', {
    ...{ accountId: staging.accountId, name: 'Another', exchange: 'app' },
    ...{ launchUrl: 'https://other.example/launch', redirectUris: ['https://other.example/cb'] },
  })
  const foreign = `/api/apps/${another.json().id}/fault-runs/${id}`
  assert.equal((await staging.api('GET', foreign)).statusCode, 404)
})

test('keeps the newest runs, and takes thirty of an app in an hour', async () => {
  let refused: number | undefined
  for (let taken = 0; taken <= MAX_FAULT_RUNS + 5; taken += 1) {
    const { statusCode } = await handIn(runOf('passed'))
    if (statusCode === 429) {
      refused ??= taken
      staging.service.clock.advance(3600)
    }
  }
  assert.ok(refused !== undefined && refused < 30, `refused at ${refused}`)
  const { items } = (await staging.api('GET', path)).json()
  assert.equal(items.length, MAX_FAULT_RUNS)
})

test('keeps runs in staging only, and says so elsewhere', async () => {
  const story = await startStory()
  try {
    const url = `/api/apps/${story.app.id}/fault-runs`
    const answer = await story.api('POST', url, runOf('passed'))
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'staging_only'])
    assert.match(answer.body, /This is development/)
  } finally {
    await story.close()
  }
})

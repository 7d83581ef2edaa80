// The runs that are kept beside an app.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gradeOf } from '@chartside/protocol/fault-grade'
import type { Run } from '@chartside/protocol/fault-run'
import { RunFolder, runIdOf } from './run-folder.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chartside-runs-'))
})
after(() => rm(directory, { recursive: true, force: true }))

const runAt = (second: number, ...names: readonly string[]): Run => ({
  ...{ app: 'My App', startedAt: new Date(second * 1000).toISOString(), tookMs: 1 },
  grade: gradeOf([]),
  faults: names.map((name) => ({
    ...{ name, step: 'callback', title: '', outcome: 'handled', checks: [], tookMs: 1 },
  })),
})

test('finds the run before that played the same faults, and keeps the newest 50', async () => {
  const folder = new RunFolder(directory)
  assert.deepEqual(await folder.list(), [])
  for (let second = 1; second <= 51; second += 1) await folder.save(runAt(second, 'a', 'b'))
  await folder.save(runAt(52, 'a'))
  const kept = await folder.list()
  assert.deepEqual([kept.length, kept[0]?.faults.length], [50, 1])
  const now = runAt(60, 'b')
  assert.equal((await folder.findBefore(now))?.startedAt, runAt(51).startedAt)
  assert.equal(await folder.findBefore(runAt(60, 'c')), undefined)
  assert.equal(await folder.findBefore(runAt(1, 'a')), undefined)
  assert.deepEqual(await folder.find(runIdOf(runAt(52))), runAt(52, 'a'))
})

test('reads no file outside the folder, and leaves out one that is broken', async () => {
  const folder = new RunFolder(directory)
  const path = join(directory, '.chartside', 'fault-runs')
  await writeFile(join(directory, 'secret.json'), '{}')
  assert.equal(await folder.find('../../secret'), undefined)
  await writeFile(join(path, '2030-01-01T00-00-00-000Z.json'), '{')
  assert.equal((await folder.list()).length, (await readdir(path)).length - 1)
})

// When the caches of a node are read again: at most a second old, at once after the clock of the machine has
// jumped, and again as long as a reading or a reload has failed. docs/inside/decisions/0011.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { watchCacheVersions } from './cache-versions.ts'
import type { DatabaseClock } from './database-clock.ts'

function startCaches() {
  const state = { now: 0, version: 1, reads: 0, hasJumped: false, failure: undefined as unknown }
  const db = {
    read: async () => {
      state.reads += 1
      if (state.failure) throw state.failure
      return [{ database_time: state.now, topic: 'apps', version: state.version }]
    },
  } as unknown as Database
  const clock = {
    monotonic: () => state.now,
    hasJumped: () => state.hasJumped,
    take: () => {},
  } as unknown as DatabaseClock
  return { state, versions: watchCacheVersions(db, clock, () => sql`0`) }
}

test('reads the versions once a second, and once for all who ask at the same time', async () => {
  const { state, versions } = startCaches()
  await Promise.all([versions.check(), versions.check()])
  state.now = 999
  await versions.check()
  assert.equal(state.reads, 1)
  state.now = 1000
  await versions.check()
  assert.equal(state.reads, 2)
})

test('reads them at once when the clock of the machine has jumped [V13]', async () => {
  const { state, versions } = startCaches()
  await versions.check()
  state.hasJumped = true
  await versions.check()
  assert.equal(state.reads, 2)
})

test('asks again at once after a reading that failed [F01]', async () => {
  const { state, versions } = startCaches()
  state.failure = new Error('away')
  await assert.rejects(versions.check(), /away/)
  await assert.rejects(versions.check(), /away/)
  state.failure = undefined
  await versions.check()
  assert.equal(state.reads, 3)
})

test('reloads a change again until a reload has succeeded [K02]', async () => {
  const { state, versions } = startCaches()
  let reloads = 0
  versions.listen('apps', async () => {
    reloads += 1
    if (reloads === 1) throw new Error('cut off')
  })
  await assert.rejects(versions.check(), /cut off/)
  await versions.check()
  assert.equal(reloads, 2)
  state.now = 1000
  await versions.check()
  assert.equal(reloads, 2, 'nothing has changed since')
})

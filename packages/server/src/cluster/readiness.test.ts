// What a node learns from the faults of its database: a busy one is ready, a failed write is proved by a write,
// a full disk by new pages. test/readiness.test.ts has the answers of /health. Security F01, F04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, type DatabaseFault, DatabaseUnavailable } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import { watchReadiness } from './readiness.ts'

function startNode() {
  const state = { now: 0, fault: undefined as DatabaseFault | undefined }
  const written: string[] = []
  const changes: (DatabaseFault | undefined)[] = []
  const watched = {
    write: async (...statements: readonly Statement[]) => {
      written.push(...statements.map(({ sql }) => sql.trim().split(' ', 1)[0] ?? ''))
      if (state.fault) throw new DatabaseUnavailable(new Error('x'), state.fault)
      return []
    },
    probeFreeSpace: async () => void written.push('room'),
  } as unknown as Database
  const { db, readiness } = watchReadiness(
    watched,
    () => state.now,
    (fault) => changes.push(fault),
  )
  const ask = async () => {
    state.now += 1000
    written.splice(0)
    const fault = await readiness.findFault(1000)
    return { fault, written: [...written] }
  }
  return { state, changes, db, ask, readiness, written }
}

test('stays ready while the database is busy: another node would be busier [F07]', async () => {
  const { state, changes, ask } = startNode()
  assert.equal((await ask()).fault, undefined)
  state.fault = 'busy'
  assert.equal((await ask()).fault, undefined)
  state.fault = 'unreachable'
  assert.equal((await ask()).fault, 'unreachable')
  assert.deepEqual(changes, ['unreachable'])
})

test('probes without a change, and with one after a write has failed [F04]', async () => {
  const { state, db, ask } = startNode()
  assert.deepEqual((await ask()).written, ['UPDATE'])
  state.fault = 'unreachable'
  await assert.rejects(db.write())
  state.fault = undefined
  assert.deepEqual((await ask()).written, ['INSERT'])
  assert.deepEqual((await ask()).written, ['UPDATE'], 'that one has succeeded')
})

test('asks for new pages after a write failed for want of room, at once [F04]', async () => {
  const { state, db, ask, readiness, written } = startNode()
  await ask()
  state.fault = 'full'
  await assert.rejects(db.write())
  state.fault = undefined
  written.splice(0)
  assert.equal(await readiness.findFault(1000), undefined)
  assert.deepEqual(written, ['room', 'INSERT'])
})

test('probes once a second, however many ask', async () => {
  const { readiness, written, state } = startNode()
  state.now = 5000
  await Promise.all([readiness.findFault(1000), readiness.findFault(1000)])
  state.now = 5999
  await readiness.findFault(1000)
  assert.equal(written.length, 1)
})

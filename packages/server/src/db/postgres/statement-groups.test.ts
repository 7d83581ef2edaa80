// Which callers share a round trip, in which order, and that none suffers from another of its group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable, type Row } from '../database.ts'
import { byKey, type Statement, sql } from '../sql.ts'
import { batchCallers } from './statement-groups.ts'

const readOf = (id: number): Statement => sql`SELECT ${id} AS id`
const nextIteration = () => new Promise((resolve) => setImmediate(resolve))

/** A server that answers a group when the test says so. */
function openServer() {
  const groups: { ids: unknown[]; answer(): void; fail(error: Error): void }[] = []
  const run = (statements: readonly Statement[]) => {
    const ids = statements.map(({ args }) => args[0])
    return new Promise<Row[][]>((resolve, reject) => {
      const answer = () => resolve(ids.map((id) => [{ id: id ?? null }]))
      groups.push({ ids, answer, fail: reject })
    })
  }
  const together = batchCallers(run, run)
  const read = async (statement: Statement) => (await together([statement]))[0]
  return { groups, read, together }
}

test('reads of one iteration share a round trip, each with its own rows', async () => {
  const { groups, read } = openServer()
  const reads = [1, 2, 3].map((id) => read(readOf(id)))
  await nextIteration()
  assert.deepEqual(
    groups.map(({ ids }) => ids),
    [[1, 2, 3]],
  )
  groups[0]?.answer()
  assert.deepEqual(await Promise.all(reads), [[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
})

test('two groups are on the way at most; further reads wait and go together', async () => {
  const { groups, read } = openServer()
  for (const id of [1, 2, 3, 4]) {
    void read(readOf(id))
    await nextIteration()
    await nextIteration()
  }
  assert.deepEqual(
    groups.map(({ ids }) => ids),
    [[1], [2]],
  )
  groups[1]?.answer()
  await nextIteration()
  await nextIteration()
  assert.deepEqual(groups[2]?.ids, [3, 4])
})

test('a group without an answer holds up others for a moment only', async () => {
  const { groups, read } = openServer()
  for (const id of [1, 2]) {
    void read(readOf(id))
    await nextIteration()
    await nextIteration()
  }
  const third = read(readOf(3))
  const began = performance.now()
  while (groups.length < 3 && performance.now() - began < 5000) await nextIteration()
  assert.deepEqual(groups[2]?.ids, [3])
  groups[2]?.answer()
  assert.deepEqual(await third, [{ id: 3 }])
  // The late answers free no place a second time.
  for (const { answer } of groups.slice(0, 2)) answer()
  await nextIteration()
  const late = [4, 5, 6].map(async (id) => {
    for (let i = 0; i < id * 3; i += 1) await nextIteration()
    void read(readOf(id))
  })
  await Promise.all(late)
  await nextIteration()
  await nextIteration()
  assert.equal(groups.length, 5)
})

test('a statement that fails does not fail the others of its group', async () => {
  const { groups, read } = openServer()
  const reads = [1, 2].map((id) => read(readOf(id)))
  await nextIteration()
  groups[0]?.fail(new Error('division by zero'))
  await nextIteration()
  const [first, second] = groups.slice(1)
  assert.deepEqual([first?.ids, second?.ids], [[1], [2]])
  first?.fail(new Error('division by zero'))
  second?.answer()
  await assert.rejects(reads[0] ?? Promise.resolve(), /division by zero/)
  assert.deepEqual(await reads[1], [{ id: 2 }])
})

test('where the database cannot be used, a group fails at once and is not repeated', async () => {
  const { groups, read } = openServer()
  const reads = [1, 2].map((id) => read(readOf(id)))
  await nextIteration()
  groups[0]?.fail(new DatabaseUnavailable(new Error('connection refused')))
  const rejected = Promise.all(reads.map((one) => assert.rejects(one, DatabaseUnavailable)))
  await nextIteration()
  assert.equal(groups.length, 1)
  await rejected
})

test('each caller gets the rows of its own statements, in the order of locks', async () => {
  const { groups, together } = openServer()
  const callers = ['lau_c', 'lau_a', 'lau_b'].map((key, i) =>
    together([byKey(readOf(i * 10), key), readOf(i * 10 + 1)]),
  )
  await nextIteration()
  assert.deepEqual(groups[0]?.ids, [10, 11, 20, 21, 0, 1])
  groups[0]?.answer()
  const ids = (await Promise.all(callers)).map((rows) => rows.map(([row]) => row?.id))
  assert.deepEqual(ids, [
    [0, 1],
    [10, 11],
    [20, 21],
  ])
})

test('a long line is sent in groups of at most 32', async () => {
  const { groups, read } = openServer()
  for (let id = 0; id < 70; id += 1) void read(readOf(id))
  for (let i = 0; i < 4; i += 1) await nextIteration()
  assert.deepEqual(
    groups.map(({ ids }) => ids.length),
    [32, 32],
  )
})

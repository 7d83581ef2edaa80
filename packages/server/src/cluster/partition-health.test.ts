// What is known of the partitions of a database: asked now and then for all callers, kept while the database does not say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Row } from '../db/database.ts'
import { watchPartitions } from './partition-health.ts'

/** Answers the question for the extension, and then what `answer` says; counts the questions. */
function divided(answer: () => Promise<Row[]>, extension: Row[] = [{ found: 1 }]) {
  const asked: string[] = []
  const read = async ({ sql }: { sql: string }) => {
    asked.push(sql.includes('pg_extension') ? 'extension' : 'partitions')
    return sql.includes('pg_extension') ? extension : answer()
  }
  return { db: { read } as unknown as Database, asked }
}

test('counts the partitions of a machine that is away, at most every five seconds', async () => {
  let away = 16
  let now = 0
  const { db, asked } = divided(async () => [{ partitions: 32, unavailable: away }])
  const health = watchPartitions(db, true, () => now)
  assert.deepEqual(await health.count(100), { all: 32, unavailable: 16 })
  away = 0
  now = 4999
  assert.deepEqual(await health.count(100), { all: 32, unavailable: 16 })
  assert.deepEqual(asked, ['extension', 'partitions'])
  now = 5000
  assert.deepEqual(await health.count(100), { all: 32, unavailable: 0 })
  assert.deepEqual(asked, ['extension', 'partitions', 'partitions'])
})

test('keeps what it knew while the database cannot tell, or is late', async () => {
  let now = 0
  let answer = async (): Promise<Row[]> => [{ partitions: 32, unavailable: 16 }]
  const { db } = divided(() => answer())
  const health = watchPartitions(db, true, () => now)
  await health.count(100)
  now = 10_000
  answer = () => Promise.reject(new Error('away'))
  assert.equal((await health.count(100)).unavailable, 16)
  now = 20_000
  answer = () => new Promise(() => {})
  assert.equal((await health.count(10)).unavailable, 16)
})

test('asks an undivided database once, and an embedded one never', async () => {
  let now = 0
  const { db, asked } = divided(async () => assert.fail('not divided'), [])
  const health = watchPartitions(db, true, () => now)
  assert.deepEqual(await health.count(100), { all: 0, unavailable: 0 })
  now = 60_000
  assert.deepEqual(await health.count(100), { all: 0, unavailable: 0 })
  assert.deepEqual(asked, ['extension'])
  const embedded = divided(async () => assert.fail('embedded'))
  await watchPartitions(embedded.db, false, () => now).count(100)
  assert.deepEqual(embedded.asked, [])
})

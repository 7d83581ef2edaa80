// The contract of the storage port, which every driver must pass: atomic writes, shared commits,
// guarded updates that one caller wins, durable acknowledgement, errors that tell what happened.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type Database, DatabaseUnavailable, statement, UniqueViolation } from './database.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openSqlite } from './sqlite.ts'

let directory: string
let db: Database
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'chartside-db-'))
  db = openSqlite(join(directory, 'test.db'))
  await db.write(statement('CREATE TABLE things (id TEXT PRIMARY KEY, used_at BIGINT)'))
})
afterEach(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})

const insert = (id: string) => statement('INSERT INTO things (id) VALUES (?)', id)
const count = async () => (await db.read('SELECT COUNT(*) AS n FROM things'))[0]?.n

test('a write gives the rows of each RETURNING and is read back', async () => {
  const [none, rows] = await db.write(
    insert('a'),
    statement('UPDATE things SET used_at = ? RETURNING id, used_at', 5),
  )
  assert.deepEqual(none, [])
  assert.deepEqual({ ...rows?.[0] }, { id: 'a', used_at: 5 })
})

test('several statements happen all or not at all', async () => {
  await assert.rejects(db.write(insert('a'), insert('b'), insert('a')), UniqueViolation)
  assert.equal(await count(), 0)
})

test('writes that share a commit do not share a failure', async () => {
  await db.write(insert('taken'))
  const results = await Promise.allSettled([
    db.write(insert('a')),
    db.write(insert('b'), insert('taken')),
    db.write(insert('taken')),
    db.write(statement('INSERT INTO nowhere VALUES (1)')),
    db.write(insert('c')),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.equal(await count(), 3)
})

test('of a hundred parallel guarded updates exactly one gets the row', async () => {
  await db.write(insert('code'))
  const claim = (now: number) =>
    db.write(
      statement(
        'UPDATE things SET used_at = ? WHERE id = ? AND used_at IS NULL RETURNING id',
        now,
        'code',
      ),
    )
  const results = await Promise.all(Array.from({ length: 100 }, (_, i) => claim(i + 1)))
  assert.equal(results.filter(([rows]) => rows?.length === 1).length, 1)
})

test('what was acknowledged is there when the file is opened again', async () => {
  await db.write(insert('kept'))
  const second = openSqlite(join(directory, 'test.db'))
  assert.equal((await second.read('SELECT id FROM things')).length, 1)
  await second.close()
})

test('a closed database says that it is unavailable, for reads and writes', async () => {
  await db.close()
  await assert.rejects(db.read('SELECT 1'), DatabaseUnavailable)
  await assert.rejects(db.write(insert('a')), DatabaseUnavailable)
})

test('closing finishes the writes that wait', async () => {
  const waiting = db.write(insert('last'))
  await db.close()
  await waiting
  db = openSqlite(join(directory, 'test.db'))
  assert.equal(await count(), 1)
})

test('a file that is no database is unavailable, not an empty one', async () => {
  const path = join(directory, 'garbage.db')
  writeFileSync(path, 'this is not a database, and long enough to be looked at'.repeat(50))
  assert.throws(() => openSqlite(path), DatabaseUnavailable)
})

test('migrations run once, in order, and leave their record', async () => {
  const first = await migrate(db, () => 1)
  assert.equal(first.length, MIGRATIONS.length)
  assert.deepEqual(await migrate(db, () => 2), [])
  const rows = await db.read('SELECT version, applied_at FROM schema_migrations ORDER BY version')
  assert.deepEqual(
    rows.map((row) => [row.version, row.applied_at]),
    MIGRATIONS.map(({ version }) => [version, 1]),
  )
})

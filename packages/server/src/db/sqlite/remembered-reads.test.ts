// Rows that are remembered are never other than those in the table: any mixture of writes that name their record, that
// name none, and of another process is compared with a read that remembers nothing.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { byKey, concerning, type Remembered, remember, type Statement, sql } from '../sql.ts'
import { RememberedReads } from './remembered-reads.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-remembered-'))
let db: Database
let file: string
let files = 0

beforeEach(async () => {
  file = join(folder, `${++files}.db`)
  db = openSqlite(file)
  await db.write(sql`CREATE TABLE people (id TEXT PRIMARY KEY, practice TEXT, name TEXT)`)
  await db.write(sql`CREATE TABLE practices (id TEXT PRIMARY KEY, name TEXT)`)
  await db.write(
    sql`INSERT INTO people (id, practice, name) VALUES ('ann', 'east', 'Ann'), ('bob', 'east', 'Bob')`,
  )
  await db.write(sql`INSERT INTO practices (id, name) VALUES ('east', 'East')`)
})
after(() => rmSync(folder, { recursive: true, force: true }))

const ROWS: Remembered = {
  name: 'person',
  tables: ['people', 'practices'],
  recordsOf: (rows) => rows.map(({ id }) => String(id)),
}
const read = (id: string): Statement =>
  sql`SELECT p.id, p.name, e.name AS practice FROM people p JOIN practices e ON e.id = p.practice WHERE p.id = ${id}`
const recall = (id: string) => db.read(remember(read(id), ROWS))
const rename = (id: string, name: string): Statement =>
  concerning(id, sql`UPDATE people SET name = ${name} WHERE id = ${id}`)

test('gives the same rows again until a write concerns the record', async () => {
  const [ann, bob] = [await recall('ann'), await recall('bob')]
  assert.equal(await recall('ann'), ann)
  await db.write(rename('ann', 'Anna'))
  assert.equal((await recall('ann'))[0]?.name, 'Anna')
  assert.equal(await recall('bob'), bob)
  await db.write(byKey(sql`UPDATE people SET name = 'Bobby' WHERE id = 'bob'`, 'bob'))
  assert.equal((await recall('bob'))[0]?.name, 'Bobby')
})

test('forgets every record after a write that names none, or another table of the read', async () => {
  for (const write of [
    sql`UPDATE people SET name = name || '!'`,
    sql`  INSERT INTO practices (id, name) VALUES ('east', 'East 2') ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
    sql`WITH x AS (SELECT 'ann' AS id) UPDATE people SET name = 'With' WHERE id IN (SELECT id FROM x)`,
    sql`DELETE FROM practices`,
    byKey(sql`UPDATE people SET name = 'Keyless'`),
  ]) {
    await recall('ann')
    await db.write(write)
    assert.deepEqual(await recall('ann'), await db.read(read('ann')), write.sql)
  }
})

test('remembers no absence, and nothing after the database is closed', async () => {
  assert.deepEqual(await recall('cid'), [])
  await db.write(
    concerning('cid', sql`INSERT INTO people (id, practice, name) VALUES ('cid', 'east', 'Cid')`),
  )
  assert.equal((await recall('cid')).length, 1)
  await db.close()
  await assert.rejects(recall('cid'), DatabaseUnavailable)
})

test('sees what another process has written within a tenth of a second', async () => {
  await recall('ann')
  const other = new DatabaseSync(file)
  other.exec(`UPDATE people SET name = 'Elsewhere' WHERE id = 'ann'`)
  other.close()
  await sleep(110)
  assert.equal((await recall('ann'))[0]?.name, 'Elsewhere')
})

test('sees what another process has written at once, where a read asks for it', async () => {
  const recallAtOnce = () =>
    db.read(remember(read('ann'), { ...ROWS, name: 'at once', seesOthersAtOnce: true }))
  const other = new DatabaseSync(file)
  for (const name of ['Elsewhere', 'Again']) {
    await recallAtOnce()
    other.exec(`UPDATE people SET name = '${name}' WHERE id = 'ann'`)
    assert.equal((await recallAtOnce())[0]?.name, name)
  }
  assert.equal(await recallAtOnce(), await recallAtOnce())
  other.close()
})

test('is never other than the table, whatever is written in whatever order', async () => {
  const id = fc.constantFrom('ann', 'bob')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), id }),
    fc.record({ kind: fc.constant('rename' as const), id, name: fc.string({ maxLength: 3 }) }),
    fc.record({ kind: fc.constant('practice' as const), id, name: fc.string({ maxLength: 3 }) }),
    fc.record({ kind: fc.constant('undone' as const), id, name: fc.constant('undone') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const one of steps) {
        if (one.kind === 'rename') await db.write(rename(one.id, one.name))
        if (one.kind === 'practice') await db.write(sql`UPDATE practices SET name = ${one.name}`)
        if (one.kind === 'undone') {
          const twice = sql`INSERT INTO people (id) VALUES ('ann')`
          await assert.rejects(db.write(rename(one.id, one.name), twice))
        }
        assert.deepEqual(await recall(one.id), await db.read(read(one.id)))
      }
    }),
    { numRuns: 50 },
  )
})

test('keeps a bounded number of rows, and of the records that they come from', () => {
  const reads = new RememberedReads()
  const keep = (at: number) => reads.keep(remember(read(`p${at}`), ROWS), [{ id: `p${at}` }])
  const isKnown = (at: number) => reads.find(remember(read(`p${at}`), ROWS)) !== undefined
  for (let at = 0; at < 12_000; at++) keep(at)
  for (let at = 0; at < 12_000; at++) reads.noteWrite(rename(`other${at}`, 'x'))
  assert.deepEqual([isKnown(7_999), isKnown(8_000), isKnown(11_999)], [false, true, true])
  keep(12_000)
  assert.deepEqual([isKnown(11_999), isKnown(12_000)], [false, true])
})

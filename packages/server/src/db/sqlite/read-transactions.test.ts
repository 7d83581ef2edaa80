// The transaction that the reads of one iteration of the event loop share: how long it lasts, and that no fault
// outlasts it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const directory = mkdtempSync(join(tmpdir(), 'chartside-sqlite-'))
let db: Database
let other: DatabaseSync
before(async () => {
  db = await openDatabase(`file:${join(directory, 'chartside.db')}`)
  await db.write(sql`CREATE TABLE things (id TEXT PRIMARY KEY)`)
  other = new DatabaseSync(join(directory, 'chartside.db'))
})
after(async () => {
  other.close()
  await db.close()
  rmSync(directory, { recursive: true })
})

const count = async () => (await db.read(sql`SELECT COUNT(*) AS n FROM things`))[0]?.n

test('reads of one iteration see one state; the next sees what another has written', async () => {
  await nextIteration()
  const first = await count()
  other.exec("INSERT INTO things VALUES ('of another process')")
  assert.equal(await count(), first)
  await nextIteration()
  assert.equal(await count(), Number(first) + 1)
})

test('a read after a write of this process sees it, however many were before', async () => {
  for (const id of ['a', 'b', 'c']) {
    const seen = Number(await count())
    const writing = db.write(sql`INSERT INTO things (id) VALUES (${id})`)
    assert.equal(await count(), seen)
    await writing
    assert.equal(await count(), seen + 1)
  }
})

test('a statement that fails ends no read beside it, and no later write', async () => {
  const reads = await Promise.allSettled([count(), db.read(sql`SELECT x FROM nowhere`), count()])
  assert.deepEqual(
    reads.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  await db.write(sql`INSERT INTO things (id) VALUES ('after')`)
})

test('an idle connection holds no lock: the log is written back while it waits', async () => {
  await count()
  await nextIteration()
  const [result] = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  assert.equal(result?.busy, 0)
})

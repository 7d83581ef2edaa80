// The settings on which durability of the embedded engine rests, and the files that it makes. A killed process
// does not show them, because it loses no page cache; a power cut would. Security V19.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

/** sqlite.org/pragma.html#pragma_synchronous */
const FULL = 2

test('opens every connection of SQLite with synchronous = FULL, in WAL mode [V19]', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const url = `file:${join(directory, 'chartside.db')}`
  const connections = [await openDatabase(url), await openDatabase(url)]
  t.after(() => Promise.all(connections.map((connection) => connection.close())))
  for (const connection of connections) {
    assert.equal((await connection.read(sql`PRAGMA synchronous`))[0]?.synchronous, FULL)
    assert.equal((await connection.read(sql`PRAGMA journal_mode`))[0]?.journal_mode, 'wal')
  }
  await connections[0]?.write(sql`CREATE TABLE t (x INTEGER)`)
  for (const suffix of ['', '-wal']) {
    const { mode } = statSync(join(directory, `chartside.db${suffix}`))
    assert.equal(mode & 0o777, 0o600, `chartside.db${suffix} is for its owner only`)
  }
})

test('uses the log of SQLite anew, and leaves everything in the file when it closes', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'chartside.db')
  const db = await openDatabase(`file:${path}`)
  await db.write(sql`CREATE TABLE t (x BLOB)`)
  const insert = sql`INSERT INTO t VALUES (zeroblob(30000))`
  // Eight thousand pages in all.
  for (let i = 0; i < 480; i++) await db.write(insert, insert)
  const pages = statSync(`${path}-wal`).size / 4096
  assert.ok(pages < 2000, `${pages} pages`)
  await db.close()
  assert.equal(existsSync(`${path}-wal`), false, 'the last checkpoint has removed the log')
  const again = await openDatabase(`file:${path}`)
  assert.equal((await again.read(sql`SELECT COUNT(*) AS rows FROM t`))[0]?.rows, 960)
  await again.close()
})

test('names a damaged file as failing, not as out of reach [V19]', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'chartside.db')
  const whole = await openDatabase(`file:${path}`)
  await whole.write(sql`CREATE TABLE t (x INTEGER)`, sql`INSERT INTO t VALUES (1)`)
  await whole.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, 4096))
  const damaged = await openDatabase(`file:${path}`)
  t.after(() => damaged.close())
  await assert.rejects(damaged.read(sql`SELECT x FROM t`), {
    name: 'DatabaseUnavailable',
    fault: 'failing',
  })
})

test('makes the folders of a database, and says at once where the system refuses one', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const made = await openDatabase(`file:${join(directory, 'a/b/chartside.db')}`)
  await made.close()
  assert.equal(statSync(join(directory, 'a/b')).mode & 0o777, 0o700)
  writeFileSync(join(directory, 'file'), '')
  await assert.rejects(openDatabase(`file:${join(directory, 'file/b/chartside.db')}`), {
    name: 'DatabaseUnavailable',
  })
  if (process.platform !== 'linux') return
  await assert.rejects(openDatabase('file:/proc/nowhere/chartside.db'), {
    name: 'DatabaseUnavailable',
  })
})

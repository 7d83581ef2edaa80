// Backups of both engines, restored into both: whole or not there, private, never overwritten, and
// refused when a bit has changed. What a restore finds in its place is kept, never mixed in.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import { openDatabase, sql } from '@chartside/server/operator/database'
import { backUp, restore } from '../../packages/operator/src/copy/backup.ts'
import { listClearFolders } from '../../packages/operator/src/copy/backup-file.ts'
import { CopyFailed } from '../../packages/operator/src/copy/endpoint.ts'
import {
  aboveBatch,
  fixedClock as clock,
  countRows,
  fillDatabase,
  readEverything,
  tamper,
} from '../../packages/server/test/copy-fixture.ts'
import { ENGINES, type Engine } from '../../packages/server/test/engines.ts'
import { findDebianFile, isMissing } from './debian.ts'

const engines: Record<string, Engine> = {}
for (const [name, start] of ENGINES) engines[name] = await start()
const root = mkdtempSync(join(tmpdir(), 'chartside-backup-'))
after(async () => {
  for (const engine of Object.values(engines)) await engine.stop()
  rmSync(root, { recursive: true })
})
const fresh = (name: string) => (engines[name] as Engine).freshDatabase()

let directory: string
let file: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(root, 'case-'))
  file = join(directory, 'today.db')
  path = join(directory, 'data', 'chartside.db')
})
const restoreTo = (to: string, replace = false) => restore({ file, to, replace, clock })
const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CopyFailed, String(error))
  assert.match(error.message, pattern)
  return true
}

async function backUpFilled(rows = 40): Promise<string> {
  const from = await fresh('sqlite')
  await fillDatabase(from, rows)
  await backUp({ from, file }, { clock })
  return from
}

for (const source of Object.keys(engines)) {
  test(`restores every row of a backup of ${source} into both engines`, async () => {
    const from = await fresh(source)
    await fillDatabase(from, aboveBatch)
    const original = await readEverything(from)
    const { rows, bytes, tables } = await backUp({ from, file }, { clock })
    assert.equal(rows, Object.values(original).flat().length)
    assert.equal(tables, Object.keys(original).length)
    assert.equal(bytes, statSync(file).size)
    assert.deepEqual(readdirSync(directory).sort(), ['today.db', 'today.db.sha256'])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    for (const to of [`file:${path}`, await fresh('postgres')]) {
      assert.ok((await restoreTo(to)).isChecksumKnown)
      assert.deepEqual(await readEverything(to), original)
    }
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(directory, 'data')), ['chartside.db'])
  })

  test(`overwrites nothing with a backup of ${source} and leaves no partial file`, async () => {
    const from = await fresh(source)
    await fillDatabase(from, 3)
    writeFileSync(file, 'precious')
    await assert.rejects(backUp({ from, file }, { clock }), refusal(/exists already/))
    assert.equal(readFileSync(file, 'utf8'), 'precious')
    rmSync(file)
    const abort = AbortSignal.abort()
    if (source === 'postgres') {
      await assert.rejects(backUp({ from, file }, { clock, signal: abort }), refusal(/Interrupted/))
    }
    const packed = { from, file, packing: { isCompressed: true, recipients: [] }, scratch: root }
    await assert.rejects(backUp(packed, { clock, signal: abort }), refusal(/Interrupted/))
    assert.deepEqual(listClearFolders(root), [])
    await assert.rejects(backUp({ from: 'file:/nowhere/at.db', file }, { clock }), CopyFailed)
    assert.deepEqual(readdirSync(directory), [])
    writeFileSync(`${file}.partial`, 'of another run')
    await assert.rejects(backUp({ from, file }, { clock }), refusal(/left from a run/))
    assert.deepEqual(readdirSync(directory), ['today.db.partial'])
  })
}

test('backs up rows that are only in the write-ahead log, also after a crash', async () => {
  const from = `file:${path}`
  await fillDatabase(from, 3)
  const open = await openDatabase(from)
  await open.write(sql`INSERT INTO changes VALUES ('in the log', 1)`)
  assert.ok(statSync(`${path}-wal`).size > 0)
  const { rows } = await backUp({ from, file }, { clock })
  assert.equal(rows, await countRows(from))
  await restoreTo(`file:${directory}/other.db`)
  assert.deepEqual(await readEverything(`file:${directory}/other.db`), await readEverything(from))
  await open.close()
})

test('refuses a backup with one flipped bit and leaves the target unchanged', async () => {
  await backUpFilled()
  const bytes = readFileSync(file)
  const at = bytes.indexOf('zebra')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const to = await fresh('postgres')
  for (const target of [`file:${path}`, to]) {
    await assert.rejects(restoreTo(target), refusal(/not what was written: its SHA-256/))
  }
  assert.equal(existsSync(path), false)
  assert.deepEqual(await readEverything(to), {})
})

test('refuses a truncated, overwritten or foreign file also without its checksum', async () => {
  for (const damage of [
    () => truncateSync(file, statSync(file).size - 8192),
    () => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0x5a, 4096 * 3, 4096 * 5))
    },
    () => writeFileSync(file, 'this is no database, but a text of some length'.repeat(99)),
    () => writeFileSync(file, ''),
  ]) {
    rmSync(file, { force: true })
    await backUpFilled()
    rmSync(`${file}.sha256`)
    damage()
    const message = /damaged|cannot be used|not a Chartside database|no record/
    await assert.rejects(restoreTo(`file:${path}`), refusal(message))
    assert.equal(existsSync(path), false)
  }
})

test('notices an index that has lost rows', async () => {
  await backUpFilled()
  rmSync(`${file}.sha256`)
  const raw = new DatabaseSync(file)
  raw.enableDefensive(false)
  raw.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET rootpage = (
      SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_users_1'
    ) WHERE name = 'sqlite_autoindex_accounts_1';
    DELETE FROM users`)
  raw.close()
  const to = await fresh('postgres')
  await assert.rejects(restoreTo(to), refusal(/damaged|malformed/))
  assert.deepEqual(await readEverything(to), {})
})

test('age and zstd of Debian read a packed backup, and what they pack is restored', async (t) => {
  const [age, keygen, zstd] = await Promise.all([
    findDebianFile('age', 'bin/age'),
    findDebianFile('age', 'bin/age-keygen'),
    findDebianFile('zstd', 'bin/zstd'),
  ])
  for (const program of [age, keygen, zstd]) if (isMissing(program)) return t.skip(program.why)
  const run = (program: object, args: string[], input?: Buffer) => {
    const { path: name, env } = program as { path: string; env: Record<string, string> }
    return execFileSync(name, args, { input, env: { ...process.env, ...env }, maxBuffer: 1 << 26 })
  }
  const identityFile = join(directory, 'key.txt')
  writeFileSync(identityFile, run(keygen, []), { mode: 0o600 })
  const recipient = String(run(keygen, ['-y', identityFile])).trim()
  const from = await fresh('postgres')
  await fillDatabase(from, 40)
  const packing = { isCompressed: true, recipients: [recipient] }
  await backUp({ from, file, packing }, { clock })
  const clear = run(zstd, ['-d', '-c'], run(age, ['-d', '-i', identityFile, file]))
  const own = join(directory, 'own.db')
  writeFileSync(own, clear)
  assert.deepEqual(await readEverything(`file:${own}`), await readEverything(from))
  const foreign = join(directory, 'foreign.age')
  writeFileSync(foreign, run(age, ['-r', recipient], run(zstd, ['-c'], clear)))
  const to = await fresh('postgres')
  await restore({ file: foreign, to, replace: false, identityFile, clock })
  assert.deepEqual(await readEverything(to), await readEverything(from))
})

test('restores a backup without a checksum file and reports that it is missing', async () => {
  const from = await backUpFilled()
  rmSync(`${file}.sha256`)
  assert.equal((await restoreTo(`file:${path}`)).isChecksumKnown, false)
  assert.deepEqual(await readEverything(`file:${path}`), await readEverything(from))
})

test('refuses to restore over a database; with replace keeps it with its log', async () => {
  const from = await backUpFilled()
  const to = `file:${path}`
  await fillDatabase(to, 2)
  const before = await readEverything(to)
  await assert.rejects(restoreTo(to), refusal(/There is a database.*--replace/))
  assert.deepEqual(await readEverything(to), before)
  const { keptAt } = await restoreTo(to, true)
  assert.equal(keptAt, `${path}.before-20260301T120000Z`)
  assert.deepEqual(await readEverything(to), await readEverything(from))
  assert.deepEqual(await readEverything(`file:${keptAt}`), before)
})

test('does not replace a database that a process has open', async () => {
  await backUpFilled()
  const to = `file:${path}`
  await fillDatabase(to, 2)
  const before = await readEverything(to)
  const service = await openDatabase(to)
  await service.read(sql`SELECT 1 FROM accounts`)
  await assert.rejects(restoreTo(to, true), refusal(/has .* open.*Stop the service/))
  assert.deepEqual(await readEverything(to), before)
  await service.close()
  await restoreTo(to, true)
})

test('does not use a leftover log for the restored database', async () => {
  const from = await backUpFilled()
  const to = `file:${path}`
  await fillDatabase(to, 2)
  const crashed = new DatabaseSync(path)
  crashed.exec("UPDATE accounts SET name = 'from the old log'")
  const log = readFileSync(`${path}-wal`)
  crashed.close()
  rmSync(path)
  writeFileSync(`${path}-wal`, log)
  await assert.rejects(restoreTo(to), refusal(/chartside\.db-wal.*--replace/))
  await restoreTo(to, true)
  assert.deepEqual(await readEverything(to), await readEverything(from))
})

test('replaces a damaged database and keeps it', async () => {
  const from = await backUpFilled()
  const to = `file:${path}`
  await fillDatabase(to, 2)
  writeFileSync(path, 'burnt')
  const { keptAt = '' } = await restoreTo(to, true)
  assert.equal(readFileSync(keptAt, 'utf8'), 'burnt')
  assert.deepEqual(await readEverything(to), await readEverything(from))
})

test('refuses to restore into a PostgreSQL with rows', async () => {
  await backUpFilled()
  const to = await fresh('postgres')
  await fillDatabase(to, 1)
  const before = await readEverything(to)
  await assert.rejects(restoreTo(to, true), refusal(/not empty/))
  assert.deepEqual(await readEverything(to), before)
})

test('refuses a backup of a newer version before it changes anything', async () => {
  const from = await fresh('sqlite')
  await fillDatabase(from, 1)
  await tamper(
    from,
    "INSERT INTO schema_migrations (version, name, applied_at, phase) VALUES (999, 'x', 1, 'expand')",
  )
  await assert.rejects(backUp({ from, file }, { clock }), refusal(/newer version/))
  const raw = new DatabaseSync(from.slice('file:'.length))
  raw.prepare('VACUUM INTO ?').run(file)
  raw.close()
  await assert.rejects(restoreTo(`file:${path}`), refusal(/migration 999.*newer version/))
  assert.equal(existsSync(path), false)
})

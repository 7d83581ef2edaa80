// Checkpoints in three steps: the log is used anew only after everything is in the file and on the disk, commits go
// on meanwhile, and a step that fails leaves the work to SQLite. Security V19.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'
import { Checkpoints, OWN_CHECKPOINT_PAGES } from './checkpoints.ts'

const PAGE_BYTES = 4096
const PAGES_OF_A_ROW = 8
const WAIT_MS = 20_000

/** A flush that lasts until the test ends it, or ends itself. */
function openFlush(t: TestContext) {
  const { promise, resolve } = Promise.withResolvers<void>()
  t.after(() => resolve())
  return { flush: () => promise, end: () => resolve() }
}

/** So long the log may be when commits end between two looks at it. */
const SHORT_LOG_PAGES = OWN_CHECKPOINT_PAGES / 2

/** The flush takes as long as the disk does; a short log waits for the next checkpoint. */
async function copiedEverything(
  readLog: () => Promise<Readonly<Record<string, unknown>> | undefined>,
  shortLogPages = SHORT_LOG_PAGES,
): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += 5) {
    const log = await readLog()
    if (log && (log.checkpointed === log.log || Number(log.log) < shortLogPages)) return
    await sleep(5)
  }
  assert.fail(`not everything was copied within ${WAIT_MS} ms`)
}

/** A database of one table, whose commits write eight pages and a few more. */
function openFile(t: TestContext, flush?: () => Promise<void>) {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-checkpoints-'))
  const path = join(directory, 'chartside.db')
  const open = () => new DatabaseSync(path)
  const writer = open()
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x BLOB)')
  const checkpoints = new Checkpoints({
    writer,
    openReader: open,
    path,
    ...(flush ? { flush } : {}),
  })
  const insert = writer.prepare(`INSERT INTO t VALUES (zeroblob(${PAGES_OF_A_ROW * PAGE_BYTES}))`)
  let rows = 0
  const close = async () => {
    await checkpoints.close()
    if (writer.isOpen) writer.close()
    await checkpoints.closeFile()
  }
  t.after(async () => {
    await close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    path,
    close,
    isOpen: () => writer.isOpen,
    commit(times: number) {
      for (let i = 0; i < times; i++) {
        insert.run()
        rows += 1
        checkpoints.afterCommit()
      }
    },
    log: () => writer.prepare('PRAGMA wal_checkpoint(NOOP)').get(),
    logPages: () => Math.ceil(statSync(`${path}-wal`).size / PAGE_BYTES),
    /** What a process sees that finds these files. */
    countRows() {
      const reader = open()
      const found = reader.prepare('SELECT COUNT(*) AS rows FROM t').get()
      reader.close()
      return { found: Number(found?.rows), written: rows }
    },
  }
}

test('the log is used anew, and does not grow with the number of commits', async (t) => {
  const file = openFile(t)
  for (let round = 0; round < 6; round++) {
    file.commit(150)
    await copiedEverything(async () => file.log())
  }
  assert.ok(file.logPages() < OWN_CHECKPOINT_PAGES, `${file.logPages()} pages`)
  const { found, written } = file.countRows()
  assert.deepEqual([found, written], [900, 900])
})

test('commits go on during the flush, and the log keeps what the flush is about', async (t) => {
  const { flush, end } = openFlush(t)
  const file = openFile(t, flush)
  file.commit(150)
  assert.equal(file.log()?.checkpointed, 0, 'the answers to the commit leave first')
  await nextIteration()
  await nextIteration()
  const before = file.log()
  assert.ok(Number(before?.checkpointed) > 0, 'the first step has copied')
  file.commit(50)
  await nextIteration()
  const during = file.log()
  assert.ok(
    Number(during?.log) >= Number(before?.log) + 50 * PAGES_OF_A_ROW,
    'nothing of the log is overwritten',
  )
  assert.equal(during?.checkpointed, before?.checkpointed, 'what came later waits')
  end()
  await nextIteration()
  const after = file.log()
  assert.equal(after?.checkpointed, after?.log, 'the last step has copied everything')
  file.commit(1)
  assert.ok(Number(file.log()?.log) < 2 * PAGES_OF_A_ROW, 'the log begins anew')
  assert.equal(file.countRows().found, file.countRows().written)
})

test('a checkpoint ends although no commit follows its beginning', async (t) => {
  const file = openFile(t)
  while (Number(file.log()?.log) < OWN_CHECKPOINT_PAGES / 4) file.commit(16)
  await nextIteration()
  assert.equal(file.log()?.checkpointed, 0, 'it waits for a commit first')
  await copiedEverything(async () => file.log(), 0)
  assert.equal(file.countRows().found, file.countRows().written)
})

test('without a flush SQLite does its own checkpoint', async (t) => {
  let asked = 0
  const file = openFile(t, async () => {
    asked += 1
    throw new Error('EIO')
  })
  for (let i = 0; i < 120; i++) {
    file.commit(10)
    await nextIteration()
  }
  assert.ok(asked > 1, 'it is tried again')
  assert.ok(file.logPages() < 1.5 * OWN_CHECKPOINT_PAGES, `${file.logPages()} pages`)
  assert.equal(file.countRows().found, 1200)
})

test('a close during the flush waits for it, and leaves everything in the file', async (t) => {
  const { flush, end } = openFlush(t)
  const file = openFile(t, flush)
  file.commit(150)
  const closing = file.close()
  await nextIteration()
  assert.equal(file.isOpen(), true)
  end()
  await closing
  assert.equal(existsSync(`${file.path}-wal`), false, 'the last checkpoint has removed the log')
  assert.equal(file.countRows().found, 150)
})

/** Whether this process holds a lock on a file (Linux). */
function isLocked(path: string): boolean {
  const { ino } = statSync(path)
  const own = new RegExp(` ${process.pid} [0-9a-f]+:[0-9a-f]+:${ino} `)
  return own.test(readFileSync('/proc/locks', 'utf8'))
}

const needsLinux = process.platform === 'linux' ? false : 'it reads /proc/locks'

test('a checkpoint keeps the lock on the file', { skip: needsLinux }, async (t) => {
  const file = openFile(t)
  assert.equal(isLocked(file.path), true)
  file.commit(150)
  await copiedEverything(async () => file.log())
  // Closing any descriptor of a file would end all locks that the process has on it.
  assert.equal(isLocked(file.path), true)
})

test('the service opens its database with them', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-checkpoints-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const db = await openDatabase(`file:${join(directory, 'chartside.db')}`)
  await db.write(sql`CREATE TABLE t (x BLOB)`)
  const insert = sql`INSERT INTO t VALUES (zeroblob(30000))`
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 80; i++) await db.write(insert, insert)
    await copiedEverything(async () => (await db.read(sql`PRAGMA wal_checkpoint(NOOP)`))[0])
  }
  const [settings] = await db.read(sql`PRAGMA wal_autocheckpoint`)
  assert.equal(settings?.wal_autocheckpoint, OWN_CHECKPOINT_PAGES)
  const pages = statSync(join(directory, 'chartside.db-wal')).size / PAGE_BYTES
  assert.ok(pages < OWN_CHECKPOINT_PAGES, `${pages} pages`)
  await db.close()
  assert.equal(existsSync(join(directory, 'chartside.db-wal')), false)
})

// Kills `chartside db copy` with SIGKILL during its transaction, on both engines: the target has no
// row, the source is unchanged, and the same command then succeeds.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  countRows,
  fillDatabase,
  migrateFresh,
  readEverything,
} from '../../packages/server/test/copy-fixture.ts'
import { startPostgres } from '../../packages/server/test/postgres.ts'
import { runCommand, startCommand } from './command.ts'

/** Long enough to be caught in the middle, which is among the launches. */
const rowsOf = (table: string) => (table === 'launches' ? 6000 : 600)
const CAUGHT_WITHIN_MS = 20_000

const root = mkdtempSync(join(tmpdir(), 'chartside-killed-'))
const postgres = await startPostgres()
after(async () => {
  await postgres.stop()
  rmSync(root, { recursive: true })
})

const source = `file:${join(root, 'source.db')}`
await fillDatabase(source, rowsOf)
const original = await readEverything(source)

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const TARGETS: Record<string, () => Promise<{ to: string; isInTheMiddle(): Promise<boolean> }>> = {
  async sqlite() {
    const path = join(root, 'target.db')
    // Rows that are not committed yet overflow into the log.
    return {
      to: `file:${path}`,
      isInTheMiddle: async () => sizeOf(`${path}-wal`) > 1_000_000,
    }
  },
  async postgres() {
    const to = await postgres.freshDatabase()
    const isInserting = `SELECT 1 FROM pg_stat_activity
      WHERE application_name = 'chartside db' AND query LIKE 'INSERT INTO "launches"%'`
    return {
      to,
      isInTheMiddle: async () => (await postgres.administer(isInserting)).length > 0,
    }
  },
}

const COPY = Buffer.from('copyDatabase').toString('hex')

/** Each run of the command leaves an audit event of its own in the source, which it copies too. */
const withoutCopies = (everything: typeof original): typeof original => ({
  ...everything,
  audit_entries: (everything.audit_entries ?? []).filter(
    (row) => !row.some((value) => String(value).includes(COPY)),
  ),
})

for (const [name, makeTarget] of Object.entries(TARGETS)) {
  test(`leaves an empty target after a killed copy and copies then, on ${name}`, async () => {
    const { to, isInTheMiddle } = await makeTarget()
    await migrateFresh(to)
    const args = ['db', 'copy', '--from', source, '--to', to]
    const { child, ended } = startCommand(args)
    for (let waited = 0; !(await isInTheMiddle()); waited += 2) {
      assert.ok(waited < CAUGHT_WITHIN_MS && child.exitCode === null, 'caught in the middle')
      await sleep(2)
    }
    child.kill('SIGKILL')
    assert.equal((await ended).signal, 'SIGKILL')
    assert.equal(await countRows(to), 0)
    assert.deepEqual(withoutCopies(await readEverything(source)), original)
    const again = await runCommand(args)
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(withoutCopies(await readEverything(to)), original)
  })
}

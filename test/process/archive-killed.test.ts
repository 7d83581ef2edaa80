// Kills `chartside audit archive` with SIGKILL while it writes the file, and while it removes events: the same
// command then goes on, and archive and database together are the whole trail, each event once. Security P06.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { extendChains } from '../../packages/server/src/audit/audit-chain.ts'
import { readExport } from '../../packages/server/src/audit/audit-export-file.ts'
import { migrate } from '../../packages/server/src/db/migrations/migrate.ts'
import { openDatabase } from '../../packages/server/src/db/open.ts'
import { launchStatements, openPractice } from '../../packages/server/test/audit-launches.ts'
import { runCommand, startCommand } from './command.ts'

const root = mkdtempSync(join(tmpdir(), 'chartside-archive-killed-'))
after(() => rmSync(root, { recursive: true }))

const DATA = join(root, 'chartside.db')
const START = Date.parse('2025-01-01T00:00:00Z')
const LAUNCHES = 3000
const CAUGHT_WITHIN_MS = 20_000

async function withDatabase<T>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) {
  const db = await openDatabase(`file:${DATA}`)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

test('goes on after SIGKILL at two moments, and has each event once [P06]', async () => {
  const accountId = await withDatabase(async (db) => {
    await migrate(db, () => 1)
    const practice = await openPractice(db, START)
    for (let at = 0; at < LAUNCHES; at += 500) {
      const times = Array.from({ length: 500 }, (_, i) => START + (at + i) * 1000)
      await db.write(...times.flatMap((time) => launchStatements(practice, time)))
      await extendChains(db, START + (at + 500) * 1000, { settleMs: 0 })
    }
    return practice.accountId
  })
  const exported = () =>
    withDatabase(async (db) => {
      const lines: string[] = []
      for await (const line of readExport(db, accountId)) lines.push(line.trimEnd())
      return lines.filter((line) => line.startsWith('{"id"'))
    })
  const original = await exported()
  assert.ok(original.length > 3 * LAUNCHES - 10, `${original.length}`)

  const folder = mkdtempSync(join(root, 'archives-'))
  const environment = { CHARTSIDE_DATABASE_URL: `file:${DATA}` }
  const args = ['audit', 'archive', folder, '--before', '2025-02']
  const file = join(folder, 'audit-before-2025-02.jsonl.gz')
  for (const moment of [`${file}.partial`, file]) {
    const { child, ended } = startCommand(args, environment)
    for (let waited = 0; !existsSync(moment); waited += 2) {
      assert.ok(waited < CAUGHT_WITHIN_MS && child.exitCode === null, `caught at ${moment}`)
      await sleep(2)
    }
    child.kill('SIGKILL')
    assert.equal((await ended).signal, 'SIGKILL')
    // As after the minute for which the lease of the killed run counts.
    await withDatabase((db) =>
      db.write({ sql: "UPDATE leases SET due_at = 0 WHERE name = 'audit-archive'", args: [] }),
    )
  }
  const [left] = await withDatabase((db) =>
    db.read({ sql: 'SELECT COUNT(*) AS events FROM audit_entries', args: [] }),
  )
  assert.ok(Number(left?.events) > 1000, `killed while ${left?.events} events were left`)
  const last = await runCommand(args, environment)
  assert.equal(last.code, 0, last.stderr)
  assert.deepEqual(readdirSync(folder), ['audit-before-2025-02.jsonl.gz'])
  const archived = gunzipSync(readFileSync(file)).toString().split('\n')
  const lines = [...archived.filter((line) => line.startsWith('{"id"')), ...(await exported())]
  assert.deepEqual(lines, original)
  const verified = await runCommand(['audit', 'verify', '--archives', folder], environment)
  assert.equal(verified.code, 0, verified.stderr)
})

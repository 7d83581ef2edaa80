// The bytes of audit that a launch leaves for years, on both engines: the tables of events and links with
// their indexes, after whole launches (opened, authorized, exchanged), each chained by itself, as in a
// practice that opens one app a minute. docs/operate/scaling.md, docs/inside/decisions/0041.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { extendChains } from '../src/audit/audit-chain.ts'
import { ExportCheck } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { launchStatements, openPractice } from './audit-launches.ts'
import { ENGINES } from './engines.ts'
import { administerAt } from './postgres.ts'

const ACCOUNTS = 50
const ROUNDS = 20
const MAX_BYTES = 600
const START = Date.parse('2026-03-01T12:00:00Z')

/** Pages of the tables and of their indexes, full or not. */
async function measure(url: string): Promise<Record<string, number>> {
  if (url.startsWith('file:')) {
    const file = new DatabaseSync(url.slice('file:'.length))
    const rows = file
      .prepare(
        `SELECT name, SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%audit\\_%' ESCAPE '\\' GROUP BY name`,
      )
      .all()
    file.close()
    return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
  }
  const rows = await administerAt(
    url,
    `SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
      WHERE relname LIKE 'audit\\_%' AND relkind IN ('r', 'i')`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
}

const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((a, b) => a + b, 0)

for (const [name, start] of ENGINES) {
  test(`${name}: a launch leaves at most 600 bytes of audit, with its indexes`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const url = await engine.freshDatabase()
    // Over one connection: each of several fills a page of its own, which is no loss where there are many rows.
    const db = await openDatabase(url, { poolSize: 1 })
    t.after(() => db.close())
    await migrate(db, () => START)
    const before = await measure(url)
    const practices = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => openPractice(db, START)),
    )
    for (let round = 1; round <= ROUNDS; round++) {
      const at = START + round * 60_000
      for (const [i, practice] of practices.entries()) {
        await db.write(...launchStatements(practice, at + i * 500))
      }
      // Each launch is chained by itself, which takes most room.
      await extendChains(db, at + 59_000, { settleMs: 0 })
    }
    const after = await measure(url)
    const launches = ACCOUNTS * ROUNDS
    const bytes = (sum(after) - sum(before)) / launches
    const found = `${name}: ${bytes.toFixed(0)} bytes a launch, of ${JSON.stringify(after)}`
    console.log(found)
    assert.ok(bytes > 100 && bytes <= MAX_BYTES, found)
    for (const { accountId } of practices) {
      const check = new ExportCheck()
      for await (const line of readExport(db, accountId)) check.take(line.trimEnd())
      const { problems, events } = check.finish()
      assert.deepEqual([problems, events], [[], 3 * ROUNDS])
    }
  })
}

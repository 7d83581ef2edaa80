// Databases of every earlier version, full of rows: the steps that follow keep each row as it was.
// Migrations only go forward. docs/inside/decisions/0012, security F05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDatabase } from '../../../test/copy-fixture.ts'
import { ENGINES } from '../../../test/engines.ts'
import { openDatabase } from '../open.ts'
import { identifier, sql } from '../sql.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'

const ROWS = 60
const TABLES = [
  'accounts',
  'users',
  'apps',
  'client_secrets',
  'collections',
  'launches',
  'sign_ins',
]

for (const [name, start] of ENGINES) {
  test(`${name}: keeps every row of each earlier version through the later steps [F05]`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    for (let version = 1; version < MIGRATIONS.length; version++) {
      const url = await engine.freshDatabase()
      await fillDatabase(url, ROWS, version)
      const db = await openDatabase(url)
      const readAll = (table: string) =>
        db.read(sql`SELECT * FROM ${identifier(table)} ORDER BY id`)
      const earlier = new Map(
        await Promise.all(TABLES.map(async (table) => [table, await readAll(table)] as const)),
      )
      const ran = await migrate(db, () => 1)
      assert.equal(ran.length, MIGRATIONS.length - version)
      for (const [table, rows] of earlier) {
        assert.equal(rows.length, ROWS, table)
        const later = await readAll(table)
        const columns = Object.keys(rows[0] ?? {})
        const kept = later.map((row) =>
          Object.fromEntries(columns.map((name) => [name, row[name]])),
        )
        assert.deepEqual(
          kept,
          rows.map((row) => ({ ...row })),
          table,
        )
      }
      assert.deepEqual(await migrate(db, () => 2), [], 'a second time there is nothing to do')
      await db.close()
    }
  })
}

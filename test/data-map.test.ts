// The data map of docs/inside/storage.md against the schema: every column of every table has exactly one class.
// What a new column holds is decided there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrate } from '../packages/server/src/db/migrations/migrate.ts'
import { identifier, sql } from '../packages/server/src/db/sql.ts'
import { openSqlite } from '../packages/server/src/db/sqlite/sqlite.ts'

const CLASSES = ['direct', 'linked', 'secret', 'other'] as const

/** The columns of each table by class, as the page has them. */
function readMap(): Map<string, string[][]> {
  const text = readFileSync(new URL('../docs/inside/storage.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('## Data map'), text.indexOf('### Where it flows'))
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((line) => {
      const [, table = '', columns = ''] = line.split('|')
      const names = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      const ofClass = (name: string) => new RegExp(`\\*${name}\\*([^*]*)`).exec(columns)?.[1]
      return [names(table)[0] ?? '', CLASSES.map((name) => names(ofClass(name)))]
    }),
  )
}

test('classifies every column of every table once', async (t) => {
  const db = openSqlite(':memory:')
  t.after(() => db.close())
  await migrate(db, () => 0)
  const map = readMap()
  const tables = await db.read(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
  )
  assert.deepEqual(
    [...map.keys()].sort(),
    tables.map(({ name }) => String(name)),
  )
  for (const { name } of tables) {
    const columns = await db.read(sql`SELECT name FROM pragma_table_info(${String(name)})`)
    assert.deepEqual(
      map.get(String(name))?.flat().sort(),
      columns.map((column) => String(column.name)).sort(),
      `${identifier(String(name)).sql}: classify each column in docs/inside/storage.md, "Data map"`,
    )
  }
})

test('calls every hash and every sealed column secret', () => {
  for (const [table, [direct = [], linked = [], , other = []]] of readMap()) {
    const open = [...direct, ...linked, ...other]
    const isSecret = (name: string) => /_hash$|^sealed$/.test(name)
    assert.deepEqual(open.filter(isSecret), [], table)
  }
})

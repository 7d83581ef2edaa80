// Dividing the tables of a PostgreSQL: every row stays as it was, the keys have the partition key, grants
// stay, and it refuses while a node runs, where there is nothing to divide, and a second time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabase, PARTITIONED_TABLES, sql } from '@chartside/server/operator/database'
import { copyDatabase } from '../../packages/operator/src/copy/copy.ts'
import {
  divide,
  PartitionRefused,
  planDivision,
} from '../../packages/operator/src/partition/partition.ts'
import {
  citusStatements,
  type TableFacts,
} from '../../packages/operator/src/partition/statements.ts'
import {
  fillDatabase,
  migrateFresh,
  readEverything,
} from '../../packages/server/test/copy-fixture.ts'
import { divideAlone } from '../../packages/server/test/divided-database.ts'
import {
  administerAt,
  startPostgres,
  type TestPostgres,
} from '../../packages/server/test/postgres.ts'

let postgres: TestPostgres
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

const HASH = { kind: 'hash', partitions: 4 } as const
const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PartitionRefused, String(error))
  assert.match(error.message, pattern)
  return true
}

test('divides a filled database and keeps every row, key and grant', async () => {
  const url = await postgres.freshDatabase()
  await fillDatabase(url, 300)
  const role = `reader_${Date.now()}`
  await administerAt(url, `CREATE ROLE ${role}; GRANT SELECT, INSERT ON audit_entries TO ${role}`)
  await administerAt(url, 'CREATE UNIQUE INDEX launches_once ON launches (launch_hash, id)')
  const earlier = await readEverything(url)
  const planned = await planDivision(url, HASH)
  assert.ok(planned.length > 30)
  assert.deepEqual(await readEverything(url), earlier, 'a plan changes nothing')

  assert.deepEqual(await divideAlone(url, HASH), planned)
  const later = await readEverything(url)
  for (const [table, rows] of Object.entries(earlier)) assert.deepEqual(later[table], rows, table)
  const keys = await administerAt(
    url,
    `SELECT c.relname AS name, c.relkind AS kind, array_to_string(ARRAY(SELECT a.attname FROM unnest(i.indkey) WITH ORDINALITY k(n, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.n ORDER BY k.at), ',') AS key
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
      WHERE NOT c.relispartition AND c.relname = ANY('{${Object.keys(PARTITIONED_TABLES).join(',')}}')`,
  )
  assert.ok(keys.length > Object.keys(PARTITIONED_TABLES).length)
  for (const { name, kind, key } of keys) {
    assert.equal(kind, 'p', String(name))
    assert.match(String(key), /\bpart\b/, String(name))
  }
  const [granted] = await administerAt(
    url,
    `SELECT has_table_privilege('${role}', 'audit_entries', 'INSERT') AND NOT has_table_privilege('${role}', 'audit_entries', 'DELETE') AS ok`,
  )
  assert.equal(granted?.ok, true)
  await administerAt(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)

  assert.deepEqual(await divideAlone(url, HASH), [], 'a second time there is nothing to do')
  // Of a divided table, into an undivided one.
  const to = await postgres.freshDatabase()
  await copyDatabase({ from: url, to, clock: Date.now })
  assert.deepEqual(await readEverything(to), later)
})

test('refuses while a node is connected, and changes nothing', async () => {
  const url = await postgres.freshDatabase()
  await migrateFresh(url)
  const node = await openDatabase(url)
  await node.read(sql`SELECT 1 FROM changes`)
  await assert.rejects(
    divide(url, HASH, () => {}),
    refusal(/Stop every node/),
  )
  await node.close()
  const kinds = await administerAt(url, "SELECT relkind FROM pg_class WHERE relname = 'launches'")
  assert.deepEqual(kinds, [{ relkind: 'r' }])
})

test('refuses an embedded database, an empty one, an old one and one without Citus', async () => {
  await assert.rejects(planDivision('file:/tmp/none.db', HASH), refusal(/Only a PostgreSQL/))
  const url = await postgres.freshDatabase()
  await assert.rejects(planDivision(url, HASH), refusal(/chartside migrate/))
  await migrateFresh(url)
  await administerAt(url, 'DELETE FROM schema_migrations')
  await assert.rejects(planDivision(url, HASH), refusal(/^Migration 100[\d, ]* has not run/))
  const newest = await postgres.freshDatabase()
  await migrateFresh(newest)
  await assert.rejects(planDivision(newest, { kind: 'citus' }), refusal(/no Citus/))
})

test('leaves the tables as they were when a statement fails', async () => {
  const url = await postgres.freshDatabase()
  await fillDatabase(url, 20)
  await administerAt(url, 'CREATE TABLE launches_p3 (id TEXT)')
  const before = await readEverything(url).catch(() => undefined)
  await assert.rejects(divideAlone(url, HASH), refusal(/launches_p3.* Nothing was changed/))
  await administerAt(url, 'DROP TABLE launches_p3')
  assert.equal(before, undefined, 'the table in the way has no key')
  assert.equal((await readEverything(url)).launches?.length, 20)
})

test('takes from every machine what an earlier version put there, and is done then', () => {
  const facts = { columns: ['id'], primaryKeyName: 'key', grants: [], indexes: [] }
  const place = (placements: Readonly<Record<string, TableFacts['placement']>>) =>
    citusStatements(
      Object.entries(placements).map(([name, placement]) => ({ ...facts, name, placement })),
    )
  assert.deepEqual(place({ apps: 'reference', users: 'reference', leases: 'plain' }), [
    "SELECT undistribute_table('users')",
    "SELECT citus_add_local_table_to_metadata('users')",
    "SELECT citus_add_local_table_to_metadata('leases')",
  ])
  assert.deepEqual(place({ apps: 'reference', users: 'local', launches: 'divided' }), [])
})

test('hands Citus each table: divided beside each other, spread, everywhere, or on one', () => {
  const tables = [
    'audit_links',
    'launches',
    'ehr_sessions',
    'session_notifications',
    'apps',
    'schema_migrations',
  ].map((name) => ({
    ...{
      name,
      columns: ['id'],
      primaryKeyName: `${name}_pkey`,
      grants: [],
      placement: 'plain' as const,
    },
    indexes:
      name === 'audit_links'
        ? ['CREATE UNIQUE INDEX audit_links_by_hash ON public.audit_links USING btree (hash)']
        : [],
  }))
  const statements = citusStatements(tables)
  const calls = statements.filter((text) => text.startsWith('SELECT'))
  assert.deepEqual(calls, [
    "SELECT create_reference_table('apps')",
    "SELECT citus_add_local_table_to_metadata('schema_migrations')",
    "SELECT create_distributed_table('ehr_sessions', 'part', colocate_with => 'none')",
    "SELECT create_distributed_table('launches', 'part', colocate_with => 'ehr_sessions')",
    "SELECT create_distributed_table('audit_links', 'part', colocate_with => 'ehr_sessions')",
    "SELECT create_distributed_table('session_notifications', 'node_id', colocate_with => 'none')",
  ])
  // Citus refuses tables beside each other whose columns differ in their type.
  for (const name of ['launches', 'audit_links']) {
    assert.ok(statements.includes(`ALTER TABLE ${name} ALTER COLUMN part TYPE INTEGER`), name)
  }
  assert.ok(
    statements.includes(
      'CREATE UNIQUE INDEX audit_links_by_hash ON public.audit_links USING btree (hash, part)',
    ),
  )
})

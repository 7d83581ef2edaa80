// Divides the tables of a PostgreSQL: reads its catalog, decides what is to be done, and runs it in one
// transaction while nothing else is connected. Owns the checks and the SQL of the catalog. docs/operate/scaling.md.

import { MIGRATIONS } from '@chartside/server/operator/database'
import { checkedUrl, parseHosts } from '@chartside/server/operator/postgres'
import pg from 'pg'
import { citusStatements, hashStatements, type TableFacts } from './statements.ts'

/** The tables cannot be divided. The message names the cause and the fix. */
export class PartitionRefused extends Error {
  override readonly name = 'PartitionRefused'
}

export type Division =
  | { readonly kind: 'citus' }
  | { readonly kind: 'hash'; readonly partitions: number }

const TABLES = `SELECT c.relname AS name, c.relkind AS kind, p.conname AS key_name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT array_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid) FROM pg_index i
      WHERE i.indrelid = c.oid AND NOT i.indisprimary) AS indexes,
    (SELECT array_agg(format('GRANT %s ON %I TO %s', g.privilege_type, c.relname,
        CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END))
      FROM aclexplode(c.relacl) g WHERE g.grantee <> c.relowner) AS grants
  FROM pg_class c LEFT JOIN pg_constraint p ON p.conrelid = c.oid AND p.contype = 'p'
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`

const CITUS_TABLES = `SELECT logicalrelid::text AS name, CASE WHEN partmethod <> 'n' THEN 'divided'
    WHEN repmodel = 't' THEN 'reference' ELSE 'local' END AS placement
  FROM pg_dist_partition`

const OTHERS = `SELECT COUNT(*)::int AS others FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    AND application_name NOT LIKE 'citus%' AND application_name NOT LIKE 'Citus%'`

/** Rows are copied, so no statement is stopped; a lock that another process has is not waited for. */
const SETTINGS = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '3s';
  SET LOCAL synchronous_commit = on`

/** Returns the statements to run; none when the tables are divided already. @throws PartitionRefused */
export async function planDivision(url: string, division: Division): Promise<string[]> {
  return withClient(url, (client) => loadStatements(client, division))
}

/** Divides the tables in one transaction, and returns its statements. @throws PartitionRefused; then nothing changed. */
export async function divide(
  url: string,
  division: Division,
  onStatement: (statement: string, number: number, of: number) => void,
): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(OTHERS)
    if (rows[0].others > 0) {
      throw new PartitionRefused(
        `${rows[0].others} other client(s) are connected to this database. Stop every node, and whatever else uses it, then run this again.`,
      )
    }
    const statements = await loadStatements(client, division)
    await client.query(`BEGIN; ${SETTINGS}`)
    if (division.kind === 'citus') {
      // Reference tables and divided ones in one transaction are written over one connection each.
      await client.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`)
    }
    for (const [at, statement] of statements.entries()) {
      onStatement(statement, at + 1, statements.length)
      await client.query(statement)
    }
    await client.query('COMMIT')
    return statements
  })
}

async function loadStatements(client: pg.Client, division: Division): Promise<string[]> {
  const described = (await client.query(TABLES)).rows
  await checkSchema(
    client,
    described.map((row) => String(row.name)),
  )
  const hasCitus = (await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`))
    .rowCount
  const isHash = division.kind === 'hash'
  if (!isHash && !hasCitus) {
    throw new PartitionRefused(
      'This database has no Citus. Install it on every machine, run CREATE EXTENSION citus and add the workers (citus_set_coordinator_host, citus_add_node), or leave --citus out for hash partitions on this machine.',
    )
  }
  const placed = new Map<string, TableFacts['placement']>(
    hasCitus
      ? (await client.query(CITUS_TABLES)).rows.map(({ name, placement }) => [name, placement])
      : [],
  )
  if (isHash && placed.size > 0) {
    throw new PartitionRefused('The tables of this database are distributed by Citus already.')
  }
  const tables = described.map(
    (row): TableFacts => ({
      name: String(row.name),
      columns: row.columns,
      primaryKeyName: String(row.key_name),
      indexes: row.indexes ?? [],
      grants: row.grants ?? [],
      placement: row.kind === 'p' ? 'divided' : (placed.get(String(row.name)) ?? 'plain'),
    }),
  )
  if (!isHash && described.some(({ kind }) => kind === 'p')) {
    throw new PartitionRefused(
      'The tables have hash partitions already. Copy the database into an undivided one (chartside db copy) and distribute that.',
    )
  }
  return isHash ? hashStatements(tables, division.partitions) : citusStatements(tables)
}

/** @throws PartitionRefused when the database does not have the tables of this version. */
async function checkSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  if (!names.includes('schema_migrations')) {
    throw new PartitionRefused('This is not a Chartside database yet: run chartside migrate first.')
  }
  const { rows } = await client.query('SELECT version FROM schema_migrations')
  const applied = new Set(rows.map(({ version }) => Number(version)))
  const pending = MIGRATIONS.filter(
    ({ version, phase }) => phase === 'expand' && !applied.has(version),
  )
  if (pending.length > 0) {
    throw new PartitionRefused(
      `Migration ${pending.map(({ version }) => version).join(', ')} has not run: run chartside migrate first.`,
    )
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new PartitionRefused(
      'Only a PostgreSQL is divided. An embedded database stands on one machine, and needs no partitions.',
    )
  }
  const [first = url] = parseHosts(url).urls
  const client = new pg.Client({
    connectionString: checkedUrl(first),
    fallback_application_name: 'chartside db partition',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    if (error instanceof PartitionRefused || error instanceof TypeError) throw error
    const { message, code } = error as { message: string; code?: string }
    throw new PartitionRefused(`PostgreSQL: ${message || code}. Nothing was changed.`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

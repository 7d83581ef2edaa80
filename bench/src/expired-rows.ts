// Fills a database with launches whose retention has ended, each a copy of a real one with its session
// and sign-in, so that rows have real sizes and indexes. For the benchmark only.
import { DatabaseSync } from 'node:sqlite'
import { idFloor } from '../../packages/server/src/kernel/identifiers.ts'

export const DAY_MS = 86_400_000
const LAUNCHES_A_SESSION = 20
export const STEP = 200_000

/** `databaseUrl` '' is the embedded database in `dataDir`. The database must hold one launch at least. */
export async function insertExpired(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  rows: number,
  say: (text: string) => void,
  at = Date.now() - 30 * DAY_MS,
): Promise<void> {
  const { run, close } = await connect(databaseUrl, dataDir)
  const sessions = Math.ceil(rows / LAUNCHES_A_SESSION)
  const ids = { lau: idFloor('lau', at), ses: idFloor('ses', at), sgn: idFloor('sgn', at) }
  const padded = (n: string) => `substr('000000000000' || ${n}, -12)`
  const right = (n: string) => (databaseUrl === '' ? padded(n) : `lpad((${n})::text, 12, '0')`)
  const copies = async (table: string, count: number, values: Record<string, string>) => {
    for (let from = 1; from <= count; from += STEP) {
      const to = Math.min(count, from + STEP - 1)
      const columns = await run.columns(table)
      const list = columns.map((column) => values[column] ?? `o.${column}`)
      await run.statement(
        `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${list.join(', ')}
          FROM ${series(databaseUrl, from, to)} s, (SELECT * FROM ${table} ORDER BY id DESC LIMIT 1) o`,
      )
      say(`${table}: ${to} of ${count} expired rows`)
    }
  }
  await copies('sign_ins', sessions, {
    id: `'${ids.sgn}' || ${right('s.n')}`,
    created_at: String(at),
    last_seen_at: String(at),
    expires_at: String(at + DAY_MS / 2),
  })
  await copies('ehr_sessions', sessions, {
    id: `'${ids.ses}' || ${right('s.n')}`,
    sign_in_id: `'${ids.sgn}' || ${right('s.n')}`,
    created_at: String(at),
  })
  const session = right(`(s.n - 1) / ${LAUNCHES_A_SESSION} + 1`)
  await copies('launches', rows, {
    id: `'${ids.lau}' || ${right('s.n')}`,
    session_id: `'${ids.ses}' || ${session}`,
    sign_in_id: `'${ids.sgn}' || ${session}`,
    created_at: String(at),
    expires_at: String(at + 300_000),
    code_expires_at: String(at + 60_000),
    token_expires_at: String(at + 3_600_000),
  })
  // The start that made the schema found nothing to remove and would look again much later.
  await run.statement('DELETE FROM leases')
  // What autovacuum does beside the load would otherwise be measured too.
  if (databaseUrl !== '') await run.statement('VACUUM ANALYZE')
  await close()
}

/** Numbers as rows of a column `n`. */
export const series = (databaseUrl: string, from: number, to: number) =>
  databaseUrl === ''
    ? `(WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to}) SELECT n FROM s)`
    : `(SELECT generate_series(${from}, ${to}) AS n)`

/** Counts the launches that are left and as old as this. */
export async function countExpired(
  databaseUrl: string,
  dataDir: string,
  days = 29,
): Promise<number> {
  const { run, close } = await connect(databaseUrl, dataDir)
  const oldest = idFloor('lau', Date.now() - days * DAY_MS)
  const count = await run.count(`SELECT COUNT(*) AS n FROM launches WHERE id < '${oldest}'`)
  await close()
  return count
}

export async function connect(databaseUrl: string, dataDir: string) {
  if (databaseUrl === '') {
    const db = new DatabaseSync(`${dataDir}/chartside.db`)
    db.exec('PRAGMA synchronous = OFF')
    const columns = async (table: string) =>
      db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
    const run = {
      columns,
      statement: async (sql: string) => db.exec(sql),
      count: async (sql: string) => Number(db.prepare(sql).get()?.n),
    }
    return { run, close: async () => db.close() }
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const run = {
    async columns(table: string): Promise<string[]> {
      const sql = 'SELECT column_name FROM information_schema.columns WHERE table_name = $1'
      return (await client.query(sql, [table])).rows.map((row) => String(row.column_name))
    },
    async statement(sql: string) {
      await client.query(sql)
    },
    count: async (sql: string) => Number((await client.query(sql)).rows[0]?.n),
  }
  const close = () => client.end()
  return { run, close }
}

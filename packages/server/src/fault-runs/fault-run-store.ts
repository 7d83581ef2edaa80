// The SQL of fault runs. A run is written once and never changed; the write that adds one deletes what is older
// than the newest fifty of its app. Decision 84.
import type { Run } from '@chartside/protocol/fault-run'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, json, text } from '../db/row.ts'
import { sql } from '../db/sql.ts'

/** The number of runs that an app keeps. */
export const MAX_FAULT_RUNS = 50

export interface StoredRun {
  readonly id: string
  readonly appId: string
  readonly receivedAt: number
  readonly run: Run
}

export interface RunSummary
  extends Pick<StoredRun, 'id' | 'appId' | 'receivedAt'>,
    Pick<Run, 'startedAt' | 'commit'> {
  readonly level: Run['grade']['level']
  readonly points: number
  readonly faults: number
}

const keysOf = (row: Row) => ({
  id: text(row, 'id'),
  appId: text(row, 'app_id'),
  receivedAt: integer(row, 'received_at'),
})
const runOf = (row: Row): StoredRun => ({ ...keysOf(row), run: json(row, 'run') as Run })

export async function insertRun(db: Database, { id, appId, receivedAt, run }: StoredRun) {
  const { startedAt, commit, grade, faults } = run
  // JSON leaves out a commit that is undefined.
  const { level, points } = grade
  const summary = JSON.stringify({ startedAt, commit, level, points, faults: faults.length })
  await db.write(
    sql`INSERT INTO fault_runs (id, app_id, received_at, summary, run)
      VALUES (${id}, ${appId}, ${receivedAt}, ${summary}, ${JSON.stringify(run)})`,
    sql`DELETE FROM fault_runs WHERE app_id = ${appId} AND id NOT IN
      (SELECT id FROM fault_runs WHERE app_id = ${appId} ORDER BY id DESC LIMIT ${MAX_FAULT_RUNS})`,
  )
}

/** Lists the newest first. */
export async function listRuns(db: Database, appId: string): Promise<RunSummary[]> {
  const rows = await db.read(
    sql`SELECT id, app_id, received_at, summary FROM fault_runs WHERE app_id = ${appId}
      ORDER BY id DESC`,
  )
  return rows.map((row) => {
    const summary = json(row, 'summary') as Omit<RunSummary, 'id' | 'appId' | 'receivedAt'>
    return { ...keysOf(row), ...summary }
  })
}

export async function findRun(db: Database, appId: string, id: string) {
  const row = await readOne(
    db,
    sql`SELECT * FROM fault_runs WHERE app_id = ${appId} AND id = ${id}`,
  )
  return row && runOf(row)
}

export async function findRunBefore(db: Database, { appId, id }: StoredRun) {
  const row = await readOne(
    db,
    sql`SELECT * FROM fault_runs WHERE app_id = ${appId} AND id < ${id} ORDER BY id DESC LIMIT 1`,
  )
  return row && runOf(row)
}

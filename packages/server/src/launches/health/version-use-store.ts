// The SQL of how versions of a collection do: of the newest EHR sessions that run each, how many launches became ready
// or failed. It walks the index of the sessions of each practice. Contract §16.
import type { Database } from '../../db/database.ts'
import { integer } from '../../db/row.ts'
import { list, sql } from '../../db/sql.ts'
import { partOf } from '../../kernel/partitions.ts'
import { floorAt } from '../list/launch-filter-store.ts'

export interface VersionUse {
  readonly launches: number
  readonly ready: number
  /** The launches that failed and never became ready. */
  readonly failed: number
}

/** The newest sessions are read. */
const MAX_SESSIONS = 10_000
const MAX_PRACTICES = 2000

/** Lists the use in these practices since `from`, by version. */
export async function listVersionUse(
  db: Database,
  collectionId: string,
  versions: readonly number[],
  practiceIds: readonly string[],
  from: number,
): Promise<Map<number, VersionUse>> {
  const accounts = practiceIds.slice(0, MAX_PRACTICES)
  const parts = [...new Set(accounts.map(partOf))]
  const rows = await db.read(
    sql`SELECT s.collection_version AS version, COUNT(*) AS launches,
        SUM(CASE WHEN l.context_at IS NOT NULL THEN 1 ELSE 0 END) AS ready,
        SUM(CASE WHEN l.context_at IS NULL AND l.failure_count > 0 THEN 1 ELSE 0 END) AS failed
      FROM (SELECT e.part, e.id, e.collection_version FROM ehr_sessions e
        WHERE e.part IN (${list(parts)}) AND e.account_id IN (${list(accounts)})
          AND e.id >= ${floorAt(from, 'ses')} AND e.collection_id = ${collectionId}
          AND e.collection_version IN (${list(versions)})
        ORDER BY e.id DESC LIMIT ${MAX_SESSIONS}) AS s
      JOIN launches l ON l.part = s.part AND l.session_id = s.id
      GROUP BY s.collection_version`,
  )
  return new Map(
    rows.map((row) => [
      integer(row, 'version'),
      {
        launches: integer(row, 'launches'),
        ready: integer(row, 'ready'),
        failed: integer(row, 'failed'),
      },
    ]),
  )
}

// The practices of a list of launches: where its newest launches ran, by name. It reads a bounded number of
// launches, and only those that the caller sees, so it names no practice that the list does not name. Contract §3.
import type { Database } from '../../db/database.ts'
import { hasText } from '../../db/page.ts'
import { integer, text } from '../../db/row.ts'
import { ALWAYS, type Statement, sql } from '../../db/sql.ts'
import { branchConditions, type LaunchFilter, type LaunchScope } from './launch-filter-store.ts'
import { union } from './launch-list-store.ts'

export interface LaunchPractice {
  readonly id: string
  readonly name: string
  /** The newest launches are read. */
  readonly count: number
}

/** Practices are gathered of the newest launches of a list, however many there are. */
export const MAX_GATHERED = 2000

/** The statement of {@link listPractices}; a test reads its plan. */
export function listPracticesStatement(
  scope: LaunchScope,
  filter: LaunchFilter,
  q: string | undefined,
  limit: number,
): Statement {
  const parts = branchConditions(scope, filter).map(
    (isWanted) => sql`SELECT * FROM (SELECT l.part, l.id, l.session_id FROM launches l
      WHERE ${isWanted} ORDER BY l.id DESC LIMIT ${MAX_GATHERED}) AS chosen`,
  )
  const isNamed = q === undefined ? ALWAYS : hasText(sql`r.name`, q)
  return sql`SELECT r.id, r.name, COUNT(*) AS launches FROM (
      SELECT a.id, a.name FROM (${union(parts)}) AS l
      JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      JOIN accounts a ON a.id = s.account_id WHERE a.deleted_at IS NULL
      ORDER BY l.id DESC LIMIT ${MAX_GATHERED}) AS r
    WHERE ${isNamed} GROUP BY r.id, r.name ORDER BY launches DESC, r.name, r.id LIMIT ${limit}`
}

/** Lists the practices where the newest launches of the filter ran, most launches first. */
export async function listPractices(
  db: Database,
  scope: LaunchScope,
  filter: LaunchFilter,
  q: string | undefined,
  limit: number,
): Promise<LaunchPractice[]> {
  return (await db.read(listPracticesStatement(scope, filter, q, limit))).map((row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    count: integer(row, 'launches'),
  }))
}

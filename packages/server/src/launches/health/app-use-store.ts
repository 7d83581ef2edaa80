// The SQL of how the apps of one practice are used: of its newest launches of a week, how many each app had, how
// many became ready or failed, and which scopes their codes had. It walks the index of the practice. Contract §16.
import type { Database, Row } from '../../db/database.ts'
import { integer, text } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { timeOfId } from '../../kernel/identifiers.ts'
import { branchConditions } from '../list/launch-filter-store.ts'
import { union } from '../list/launch-list-store.ts'

export interface AppUse {
  readonly appId: string
  readonly launches: number
  readonly ready: number
  /** The launches that failed and never became ready. */
  readonly failed: number
  /** The time in milliseconds when the newest launch was created. */
  readonly lastAt: number | undefined
  readonly hasProfile: boolean
  readonly hasEmail: boolean
}

/** The newest launches of a practice are read. */
export const MAX_USES = 10_000

/** No condition here looks at the time of a sign-in. */
const NEVER = { now: 0, idleSince: 0 }

/** The statement of {@link listAppUse}; a test reads its plan. */
export function listAppUseStatement(practiceId: string, from: number): Statement {
  const scope = {
    ...{ isEverything: false, practiceIds: [practiceId], vendorIds: [], vendorAppIds: undefined },
  }
  const parts = branchConditions(scope, { from, cutoff: NEVER }).map(
    (isWanted) => sql`SELECT * FROM (SELECT l.part, l.id, l.app_id, l.context_at, l.failure_count,
      l.code_scope FROM launches l WHERE ${isWanted} ORDER BY l.id DESC LIMIT ${MAX_USES}) AS chosen`,
  )
  const count = (isCounted: Statement) => sql`SUM(CASE WHEN ${isCounted} THEN 1 ELSE 0 END)`
  return sql`SELECT l.app_id, COUNT(*) AS launches, MAX(l.id) AS newest,
      ${count(sql`l.context_at IS NOT NULL`)} AS ready,
      ${count(sql`l.context_at IS NULL AND l.failure_count > 0`)} AS failed,
      ${count(sql`l.code_scope LIKE '%profile%'`)} AS with_profile,
      ${count(sql`l.code_scope LIKE '%email%'`)} AS with_email
    FROM (${union(parts)}) AS l GROUP BY l.app_id`
}

/** Lists the use since `from`, by app. */
export async function listAppUse(
  db: Database,
  practiceId: string,
  from: number,
): Promise<Map<string, AppUse>> {
  const rows = await db.read(listAppUseStatement(practiceId, from))
  return new Map(rows.map(useOf).map((use) => [use.appId, use]))
}

const useOf = (row: Row): AppUse => ({
  appId: text(row, 'app_id'),
  launches: integer(row, 'launches'),
  ready: integer(row, 'ready'),
  failed: integer(row, 'failed'),
  lastAt: timeOfId(text(row, 'newest')),
  hasProfile: integer(row, 'with_profile') > 0,
  hasEmail: integer(row, 'with_email') > 0,
})

// The SQL that writes events for the webhooks of vendors, in the write of the change that each reports: one row for
// each webhook of the account that owns the app, and none where it has no webhook. `once` keeps two writes that
// report the same change from two rows. Holds ids only. Decision 74.
import { list, type Statement, sql } from '../db/sql.ts'
import { newId } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'

export const VENDOR_EVENTS = [
  'app.disabled',
  'app.enabled',
  'secret.expiring',
  'practice.added',
  'practice.removed',
  'launches.failing',
] as const
export type VendorEventType = (typeof VENDOR_EVENTS)[number]

export interface VendorEvent {
  readonly type: VendorEventType
  readonly appId: string
  /** The time in milliseconds. */
  readonly at: number
  /** The value names the change among all of this type and app. */
  readonly once: string
  /** The further members of `data`: identifiers, times and counts. */
  readonly detail?: Readonly<Record<string, string | number>>
}

const COLUMNS = sql`webhook_id, id, once, type, app_id, practice_id, detail, created_at, due_at, attempts`
const WEBHOOKS = sql`webhooks w JOIN apps p ON p.account_id = w.account_id`

/** Inserts nothing where the condition, which shows that the change took effect, is false. */
export function vendorEventStatement(
  { type, appId, at, once, detail = {} }: VendorEvent,
  condition: Statement,
  randomness: Randomness,
): Statement {
  return sql`INSERT INTO webhook_deliveries (${COLUMNS})
    SELECT w.id, ${newId('evt', at, randomness)}, ${`${type} ${appId} ${once}`}, ${type}, p.id, NULL,
        ${JSON.stringify(detail)}, CAST(${at} AS BIGINT), CAST(${at} AS BIGINT), 0
      FROM ${WEBHOOKS} WHERE p.id = ${appId} AND w.switched_off_at IS NULL AND ${condition}
    ON CONFLICT DO NOTHING`
}

interface PracticeEvent {
  readonly type: 'practice.added' | 'practice.removed'
  readonly appIds: readonly string[]
  readonly at: number
  /** The value names the change among all of this type, app and practice. */
  readonly once: string
}

/**
 * Builds one event for each of these apps and each practice `a` of the condition. The identifier of each is
 * that of the change with the ends of those of practice and app.
 */
function practiceEventStatements(
  { type, appIds, at, once }: PracticeEvent,
  condition: Statement,
  randomness: Randomness,
): Statement[] {
  if (appIds.length === 0) return []
  const pair = sql`substr(a.id, 5) || '_' || substr(p.id, 5)`
  return [
    sql`INSERT INTO webhook_deliveries (${COLUMNS})
      SELECT w.id, ${`${newId('evt', at, randomness)}_`} || ${pair}, ${`${type} ${once} `} || ${pair},
          ${type}, p.id, a.id, '{}', CAST(${at} AS BIGINT), CAST(${at} AS BIGINT), 0
        FROM ${WEBHOOKS} JOIN accounts a ON ${condition}
        WHERE p.id IN (${list(appIds)}) AND p.deleted_at IS NULL AND w.switched_off_at IS NULL
      ON CONFLICT DO NOTHING`,
  ]
}

/** Builds the events of the apps that a change of a practice adds and removes. */
export function practiceEventsOf(
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  change: Pick<PracticeEvent, 'at' | 'once'>,
  condition: Statement,
  randomness: Randomness,
): Statement[] {
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  return (['practice.added', 'practice.removed'] as const).flatMap((type) => {
    const appIds = type === 'practice.added' ? added : removed
    return practiceEventStatements({ ...change, type, appIds }, condition, randomness)
  })
}

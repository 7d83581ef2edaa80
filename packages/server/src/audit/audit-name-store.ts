// The SQL that names what events of a page carry as identifiers: users, apps, accounts and collections. The names come
// with the page, because each look-up of a person would be an event of its own. Never writes.
import type { Database } from '../db/database.ts'
import { text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import type { AuditEvent } from './audit.ts'

const isNamed = (id: string) => /^(?:usr|app|acc|col)_/.test(id)

/** The names of actors and targets, by identifier; an account learns those of its own people only. */
export async function findEventNames(
  db: Database,
  events: readonly Pick<AuditEvent, 'actor' | 'target'>[],
  trail: { readonly accountId: string; readonly isReadByPlatform: boolean },
): Promise<Record<string, string>> {
  const ids = new Set(events.flatMap(({ actor, target }) => [actor, target]).filter(isNamed))
  if (ids.size === 0) return {}
  const wanted = list([...ids])
  const isOfAccount: Statement = trail.isReadByPlatform
    ? ALWAYS
    : sql`EXISTS (SELECT 1 FROM members m
        WHERE m.user_id = u.id AND m.account_id = ${trail.accountId} AND m.invited_at IS NULL)`
  const rows = await db.read(
    sql`SELECT u.id, u.name FROM users u WHERE u.id IN (${wanted}) AND ${isOfAccount}
      UNION ALL SELECT id, name FROM apps WHERE id IN (${wanted})
      UNION ALL SELECT id, name FROM accounts WHERE id IN (${wanted})
      UNION ALL SELECT id, name FROM collections WHERE id IN (${wanted})`,
  )
  return Object.fromEntries(rows.map((row) => [text(row, 'id'), text(row, 'name')]))
}

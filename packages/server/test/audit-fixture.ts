// Changes events of the trail behind the back of the service, as an attacker with the rights of the owner
// of the tables can. Owns no expectation.
import type { AuditEvent } from '../src/audit/audit.ts'
import { keyOfEvent, packEntry } from '../src/audit/audit-entry.ts'
import { listLinksBefore, NEWEST_SEQ } from '../src/audit/audit-link-store.ts'
import type { Database } from '../src/db/database.ts'
import { sql } from '../src/db/sql.ts'
import { partOf } from '../src/kernel/partitions.ts'

/** Stores the event with other values under its identifier. */
export async function changeEvent(
  db: Database,
  event: AuditEvent,
  changes: Partial<AuditEvent>,
): Promise<void> {
  const part = partOf(event.accountId)
  const { at, n } = keyOfEvent(event)
  const { content } = packEntry({ ...event, ...changes }, part)
  await db.write(
    sql`UPDATE audit_entries SET content = ${content}, account_id = ${event.accountId}
      WHERE part = ${part} AND at = ${at} AND n = ${n}`,
  )
}

/** Removes the newest link of a chain. Returns what puts it back. */
export async function removeLastLink(
  db: Database,
  accountId: string,
): Promise<() => Promise<void>> {
  const [link] = await listLinksBefore(db, accountId, NEWEST_SEQ, 1)
  if (!link) throw new Error('the chain has no link')
  const rows = await db.read(
    sql`SELECT * FROM audit_links WHERE part = ${partOf(accountId)} AND seq = ${link.seq}`,
  )
  await db.write(
    sql`DELETE FROM audit_links WHERE part = ${partOf(accountId)} AND seq = ${link.seq}`,
  )
  return async () => {
    const [row = {}] = rows
    const { part = null, seq = null, trail = null, hash = null, events = null } = row
    await db.write(
      sql`INSERT INTO audit_links (part, seq, trail, hash, events)
        VALUES (${part}, ${seq}, ${trail}, ${hash}, ${events})`,
    )
  }
}

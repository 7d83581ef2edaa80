// The SQL of archiving: who may remove events, what is recorded of an archive, and the removal of events that
// are in one. Never asked by the service, whose role may remove nothing.
import {
  type AuditEvent,
  type EntryKey,
  packEntry,
  packTrail,
  partOf,
} from '@chartside/server/operator/audit'
import {
  type Database,
  integer,
  type Statement,
  sql,
  text,
} from '@chartside/server/operator/database'

/** No account has it, so these statements do nothing, if they are allowed. */
const NO_ACCOUNT = -1

/** @throws the error of PostgreSQL that names the right which the role lacks. */
export async function proveRight(db: Database): Promise<void> {
  await db.write(
    sql`DELETE FROM audit_entries WHERE part = ${NO_ACCOUNT}`,
    sql`UPDATE audit_entries SET account_id = NULL WHERE part = ${NO_ACCOUNT}`,
    sql`DELETE FROM audit_links WHERE part = ${NO_ACCOUNT}`,
    sql`DELETE FROM audit_archives WHERE part = ${NO_ACCOUNT}`,
  )
}

/** Lists the accounts with an event before that time. */
export async function listTrailsBefore(db: Database, before: number): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT DISTINCT account_id FROM audit_entries
      WHERE at < ${before} AND account_id IS NOT NULL ORDER BY account_id`,
  )
  return rows.map((row) => text(row, 'account_id'))
}

/** A part of a trail that is in an archive. */
export interface ArchivedPart {
  readonly accountId: string
  /** The number of its last event. */
  readonly seq: number
  readonly hash: string
  readonly file: string
  /** The SHA-256 of the file. */
  readonly digest: string
}

/** Lists all archived parts, of each account the oldest first. */
export async function listArchivedParts(db: Database): Promise<ArchivedPart[]> {
  const rows = await db.read(
    sql`SELECT account_id, seq, hash, file, file_digest FROM audit_archives ORDER BY account_id, seq`,
  )
  return rows.map((row) => ({
    accountId: text(row, 'account_id'),
    seq: integer(row, 'seq'),
    hash: text(row, 'hash'),
    file: text(row, 'file'),
    digest: text(row, 'file_digest'),
  }))
}

export const insertArchivedPartStatement = (
  { accountId, seq, hash, file, digest }: ArchivedPart,
  archivedAt: number,
): Statement =>
  sql`INSERT INTO audit_archives (part, seq, account_id, hash, file, file_digest, archived_at)
    VALUES (${partOf(accountId)}, ${seq}, ${accountId}, ${hash}, ${file}, ${digest}, ${archivedAt})`

export const deleteEventsStatements = (accountId: string, keys: readonly EntryKey[]): Statement[] =>
  keys.map(
    ({ at, n }) =>
      sql`DELETE FROM audit_entries WHERE part = ${partOf(accountId)} AND at = ${at} AND n = ${n}`,
  )

export const deleteLinkStatement = (accountId: string, seq: number): Statement =>
  sql`DELETE FROM audit_links WHERE part = ${partOf(accountId)} AND trail = ${packTrail(accountId)}
    AND seq = ${seq}`

/** Stores the event without leaving anything to the opening of its launch. The event stays the same. */
export function writeOutStatement(event: AuditEvent): Statement {
  const part = partOf(event.accountId)
  const { at, n, content } = packEntry(event, part)
  return sql`UPDATE audit_entries SET content = ${content}, account_id = ${event.accountId}
    WHERE part = ${part} AND at = ${at} AND n = ${n}`
}

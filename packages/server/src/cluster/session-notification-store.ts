// The SQL by which nodes tell each other what happened in an EHR session: session_watches says which
// node holds an event stream of which session, session_news is the letter box of each of them.
// Whoever changes something writes one letter for each node that watches, and no other.

import type { Database } from '../db/database.ts'
import { optionalText, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'

export interface Letter {
  readonly id: string
  readonly sessionId: string
  readonly launchId: string | undefined
  /** How the session ended, when it did. */
  readonly ended: 'signed_out' | 'session_ended' | undefined
}

/** This node watches the session until `expiresAt`. */
export const insertWatch = (sessionId: string, nodeId: string, expiresAt: number): Statement =>
  sql`INSERT INTO session_watches (session_id, node_id, expires_at) VALUES (${sessionId}, ${nodeId}, ${expiresAt})
      ON CONFLICT (session_id, node_id) DO UPDATE SET expires_at = excluded.expires_at`

export const deleteWatch = (sessionId: string, nodeId: string): Statement =>
  sql`DELETE FROM session_watches WHERE session_id = ${sessionId} AND node_id = ${nodeId}`

/** Prolongs every watch of this node; gives the sessions that it is known to watch. */
export async function renewWatches(
  db: Database,
  nodeId: string,
  expiresAt: number,
): Promise<string[]> {
  const [rows = []] = await db.write(
    sql`UPDATE session_watches SET expires_at = ${expiresAt} WHERE node_id = ${nodeId} RETURNING session_id`,
  )
  return rows.map((row) => text(row, 'session_id'))
}

/** Writes the letter to every other node that watches its session. */
export const insertNotificationStatement = (
  letter: Letter,
  fromNodeId: string,
  now: number,
): Statement =>
  sql`INSERT INTO session_news (node_id, id, session_id, launch_id, ended, created_at)
      SELECT node_id, ${letter.id}, session_id, ${letter.launchId ?? null}, ${letter.ended ?? null}, CAST(${now} AS BIGINT) FROM session_watches
        WHERE session_id = ${letter.sessionId} AND node_id <> ${fromNodeId} AND expires_at > ${now}`

/** Empties this node's letter box; oldest first. */
export async function claimNotifications(db: Database, nodeId: string): Promise<Letter[]> {
  const [rows = []] = await db.write(
    sql`DELETE FROM session_news WHERE node_id = ${nodeId} RETURNING id, session_id, launch_id, ended`,
  )
  return rows
    .map((row) => ({
      id: text(row, 'id'),
      sessionId: text(row, 'session_id'),
      launchId: optionalText(row, 'launch_id'),
      ended: optionalText(row, 'ended') as Letter['ended'],
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Removes what nodes that died have left behind. */
export async function deleteForgotten(db: Database, now: number, oldBefore: number): Promise<void> {
  await db.write(
    sql`DELETE FROM session_watches WHERE expires_at < ${now}`,
    sql`DELETE FROM session_news WHERE created_at < ${oldBefore}`,
  )
}

// The SQL by which nodes tell each other what happened in an EHR session: session_watches says which
// node holds an event stream of which session, session_news is the letter box of each of them.
// Whoever changes something writes one letter for each node that watches, and no other.
import { type Database, type Statement, statement } from '../db/database.ts'
import { optionalText, text } from '../db/row.ts'

export interface Letter {
  readonly id: string
  readonly sessionId: string
  readonly launchId: string | undefined
  /** How the session ended, when it did. */
  readonly ended: 'signed_out' | 'session_ended' | undefined
}

/** This node watches the session until `expiresAt`. */
export const insertWatch = (sessionId: string, nodeId: string, expiresAt: number): Statement =>
  statement(
    `INSERT INTO session_watches (session_id, node_id, expires_at) VALUES (?, ?, ?)
      ON CONFLICT (session_id, node_id) DO UPDATE SET expires_at = excluded.expires_at`,
    sessionId,
    nodeId,
    expiresAt,
  )

export const deleteWatch = (sessionId: string, nodeId: string): Statement =>
  statement('DELETE FROM session_watches WHERE session_id = ? AND node_id = ?', sessionId, nodeId)

/** Prolongs every watch of this node; gives the sessions that it is known to watch. */
export async function renewWatches(
  db: Database,
  nodeId: string,
  expiresAt: number,
): Promise<string[]> {
  const [rows = []] = await db.write(
    statement(
      'UPDATE session_watches SET expires_at = ? WHERE node_id = ? RETURNING session_id',
      expiresAt,
      nodeId,
    ),
  )
  return rows.map((row) => text(row, 'session_id'))
}

/** Writes the letter to every other node that watches its session. */
export const insertLetter = (letter: Letter, fromNodeId: string, now: number): Statement =>
  statement(
    `INSERT INTO session_news (node_id, id, session_id, launch_id, ended, created_at)
      SELECT node_id, ?, session_id, ?, ?, CAST(? AS BIGINT) FROM session_watches
        WHERE session_id = ? AND node_id <> ? AND expires_at > ?`,
    letter.id,
    letter.launchId ?? null,
    letter.ended ?? null,
    now,
    letter.sessionId,
    fromNodeId,
    now,
  )

/** Empties this node's letter box; oldest first. */
export async function takeLetters(db: Database, nodeId: string): Promise<Letter[]> {
  const [rows = []] = await db.write(
    statement(
      'DELETE FROM session_news WHERE node_id = ? RETURNING id, session_id, launch_id, ended',
      nodeId,
    ),
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
    statement('DELETE FROM session_watches WHERE expires_at < ?', now),
    statement('DELETE FROM session_news WHERE created_at < ?', oldBefore),
  )
}

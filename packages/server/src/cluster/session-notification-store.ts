// The SQL by which nodes notify each other of what happens in an EHR session. session_subscriptions holds the
// subscriptions: which node has an event stream of which session. session_notifications is the inbox of each
// node. A change inserts one notification for each node that subscribes, and no other row.
import type { EndReason } from '@chartside/protocol/launch'
import type { Database } from '../db/database.ts'
import { optionalText, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'

export interface StoredNotification {
  readonly id: string
  readonly sessionId: string
  readonly launchId: string | undefined
  /** The end of the session, if it ended. Without it and a launch the stream reads its session. */
  readonly ended: EndReason | undefined
}

/** Subscribes the node to the session until `expiresAt`. */
export const insertSubscriptionStatement = (
  sessionId: string,
  nodeId: string,
  expiresAt: number,
): Statement =>
  sql`INSERT INTO session_subscriptions (session_id, node_id, expires_at) VALUES (${sessionId}, ${nodeId}, ${expiresAt})
      ON CONFLICT (session_id, node_id) DO UPDATE SET expires_at = excluded.expires_at`

export const deleteSubscriptionStatement = (sessionId: string, nodeId: string): Statement =>
  sql`DELETE FROM session_subscriptions WHERE session_id = ${sessionId} AND node_id = ${nodeId}`

/** Extends every subscription of the node; returns the sessions that it subscribes to. */
export async function updateSubscriptionExpiry(
  db: Database,
  nodeId: string,
  expiresAt: number,
): Promise<string[]> {
  const [rows = []] = await db.write(
    sql`UPDATE session_subscriptions SET expires_at = ${expiresAt} WHERE node_id = ${nodeId} RETURNING session_id`,
  )
  return rows.map((row) => text(row, 'session_id'))
}

/** Lists those of the sessions to which another node subscribes: most have no stream elsewhere. */
export async function listWatchedSessions(
  db: Database,
  sessionIds: readonly string[],
  nodeId: string,
  now: number,
): Promise<Set<string>> {
  // Few lengths, so that few statements are prepared.
  const length = 2 ** Math.ceil(Math.log2(sessionIds.length))
  const padded = Array.from({ length }, (_, index) => sessionIds[index] ?? sessionIds[0] ?? '')
  const rows = await db.read(
    sql`SELECT DISTINCT session_id FROM session_subscriptions
      WHERE session_id IN (${list(padded)}) AND node_id <> ${nodeId} AND expires_at > ${now}`,
  )
  return new Set(rows.map((row) => text(row, 'session_id')))
}

/** Inserts the notification for every other node that subscribes to its session. */
export const insertNotificationStatement = (
  notification: StoredNotification,
  fromNodeId: string,
  now: number,
): Statement =>
  sql`INSERT INTO session_notifications (node_id, id, session_id, launch_id, ended, created_at)
      SELECT node_id, ${notification.id}, session_id, ${notification.launchId ?? null}, ${notification.ended ?? null}, CAST(${now} AS BIGINT) FROM session_subscriptions
        WHERE session_id = ${notification.sessionId} AND node_id <> ${fromNodeId} AND expires_at > ${now}`

/** Deletes and returns the notifications of the node's inbox, oldest first. */
export async function claimNotifications(
  db: Database,
  nodeId: string,
): Promise<StoredNotification[]> {
  const [rows = []] = await db.write(
    sql`DELETE FROM session_notifications WHERE node_id = ${nodeId} RETURNING id, session_id, launch_id, ended`,
  )
  return rows
    .map((row) => ({
      id: text(row, 'id'),
      sessionId: text(row, 'session_id'),
      launchId: optionalText(row, 'launch_id'),
      ended: optionalText(row, 'ended') as StoredNotification['ended'],
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Deletes the subscriptions and notifications of nodes that no longer run. */
export async function deleteExpired(
  db: Database,
  now: number,
  createdBefore: number,
): Promise<void> {
  await db.write(
    sql`DELETE FROM session_subscriptions WHERE expires_at < ${now}`,
    sql`DELETE FROM session_notifications WHERE created_at < ${createdBefore}`,
  )
}

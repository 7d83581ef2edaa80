// The SQL of authorize: the launch as a request sees it, and the one guarded statement that puts a
// code on it. The guard repeats every condition of the decision, so that a sign-out, an exchange
// or a second authorize in between settles the race here. Never decides a message.
import { insertLaunchEvent, type LaunchEvent } from '../audit/audit-store.ts'
import { type Database, readOne, statement } from '../db/database.ts'
import { integer } from '../db/row.ts'
import { launchOf } from '../launches/launch-store.ts'
import type { Moment } from '../sign-in/sign-in.ts'
import type { LaunchInView } from './authorize.ts'

/** The launch with this launch_id, when it exists. */
export async function findLaunchInView(
  db: Database,
  id: string,
  launchHash: string,
  { now, idleSince }: Moment,
): Promise<LaunchInView | undefined> {
  const row = await readOne(
    db,
    `SELECT l.*, s.ended_at AS sign_in_ended_at, s.expires_at AS sign_in_expires_at,
        s.last_seen_at AS sign_in_seen_at
      FROM launches l JOIN sign_ins s ON s.id = l.sign_in_id
      WHERE l.id = ? AND l.launch_hash = ?`,
    id,
    launchHash,
  )
  if (!row) return undefined
  const isSignedIn =
    row.sign_in_ended_at === null &&
    integer(row, 'sign_in_expires_at') > now &&
    integer(row, 'sign_in_seen_at') > idleSince
  return { launch: launchOf(row), isSignedIn }
}

export interface NewCode {
  readonly launchId: string
  readonly clientId: string
  readonly codeHash: string
  readonly codeExpiresAt: number
  /** Until then the launch may be authorized again. */
  readonly launchExpiresAt: number
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly nonce: string | undefined
  readonly scope: string
}

/**
 * Puts a code on the launch; an earlier code of it is dead from then on (contract §2: the newest
 * stands). False when the launch or the sign-in behind it is no longer live.
 */
export async function updateLaunchCode(
  db: Database,
  code: NewCode,
  event: LaunchEvent,
  { now, idleSince }: Moment,
): Promise<boolean> {
  const updated = statement(
    `UPDATE launches SET authorized_at = ?, expires_at = ?, code_hash = ?, code_expires_at = ?,
        code_redirect_uri = ?, code_challenge = ?, code_nonce = ?, code_scope = ?
      WHERE id = ? AND client_id = ? AND code_spent_at IS NULL AND ended_at IS NULL
        AND expires_at > ?
        AND EXISTS (SELECT 1 FROM ehr_sessions e JOIN sign_ins s ON s.id = e.sign_in_id
          WHERE e.id = launches.session_id AND e.ended_at IS NULL AND s.ended_at IS NULL
            AND s.expires_at > ? AND s.last_seen_at > ?)
      RETURNING id`,
    now,
    code.launchExpiresAt,
    code.codeHash,
    code.codeExpiresAt,
    code.redirectUri,
    code.codeChallenge ?? null,
    code.nonce ?? null,
    code.scope,
    code.launchId,
    code.clientId,
    now,
    now,
    idleSince,
  )
  const [rows] = await db.write(updated, insertLaunchEvent(event, 'authorized', code.codeHash))
  return rows?.length === 1
}

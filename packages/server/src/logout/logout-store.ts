// The SQL of logout notices. An exchange writes the debt, the end of a session makes it due
// (liveness/liveness-store.ts), a job pays it. Taking moves `due_at`: the node that moved a debt holds it until
// then, and a node that dies gives it back by time. Contract §12.

import { idTokenAlgOf } from '../apps/app-store.ts'
import type { AuditEvent } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { bumpVersionStatement } from '../cluster/cache-versions.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, concerning, list, type Statement, sql } from '../db/sql.ts'
import { partOfId } from '../kernel/partitions.ts'
import type { SigningAlgorithm } from '../keys/signing-key.ts'
import type { SignInTimes } from '../liveness/liveness.ts'
import { SIGN_IN_TIMES, signInTimesOf } from '../liveness/liveness-store.ts'
import type { NoticeAnswer } from '../outbox/outbox.ts'
import type { Taking } from '../outbox/outbox-delivery.ts'
import { formatLogoutNotice, type LogoutNotice, type LogoutOutcome } from './logout.ts'

export interface LogoutDebt extends LogoutNotice {
  readonly part: number
  readonly signInId: string
  /** The practice: the trail in which the outcome stands. */
  readonly accountId: string
  /** The debt is held until this time, and is then due again unless it is paid. */
  readonly heldUntil: number
  readonly isEnded: boolean
  readonly attempts: number
}

/**
 * Inserts the debt of an app with an address, in the write of its exchange and exactly if that took effect.
 * It is due when the sign-in would end for want of activity; activity moves that.
 */
export const insertDebtStatement = (
  launchId: string,
  tokenHash: string,
  idleMs: number,
): Statement =>
  sql`INSERT INTO logout_debts (part, session_id, app_id, user_id, account_id, sign_in_id,
      due_at, attempts)
    SELECT l.part, l.session_id, l.app_id, s.user_id, s.account_id, l.sign_in_id,
        CASE WHEN s.last_seen_at + CAST(${idleMs} AS BIGINT) < s.expires_at
          THEN s.last_seen_at + CAST(${idleMs} AS BIGINT) ELSE s.expires_at END, 0
      FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      WHERE l.id = ${launchId} AND l.part = ${partOfId(launchId)} AND l.token_hash = ${tokenHash}
    ON CONFLICT (part, session_id, app_id) DO NOTHING`

function debtOf(row: Row): LogoutDebt {
  return {
    part: integer(row, 'part'),
    sessionId: text(row, 'session_id'),
    appId: text(row, 'app_id'),
    userId: text(row, 'user_id'),
    signInId: text(row, 'sign_in_id'),
    accountId: text(row, 'account_id'),
    heldUntil: integer(row, 'due_at'),
    isEnded: optionalInteger(row, 'ended_at') !== undefined,
    attempts: integer(row, 'attempts'),
  }
}

/** Takes due debts; each goes to one of several nodes that take at once. */
export async function takeDueDebts(
  db: Database,
  { now, heldUntil, limit, without }: Taking,
): Promise<LogoutDebt[]> {
  const isFree = without.length === 0 ? ALWAYS : sql`app_id NOT IN (${list(without)})`
  const due = await db.read(
    sql`SELECT part, session_id, app_id FROM logout_debts
      WHERE due_at <= ${now} AND ${isFree} ORDER BY due_at LIMIT ${limit}`,
  )
  if (due.length === 0) return []
  // In one order, so that two nodes wait for each other and not both at once.
  const taken = due
    .map((row) => [integer(row, 'part'), text(row, 'session_id'), text(row, 'app_id')] as const)
    .sort(([, a, x], [, b, y]) => (a + x < b + y ? -1 : 1))
    .map(
      ([part, sessionId, appId]) =>
        sql`UPDATE logout_debts SET due_at = ${heldUntil}
          WHERE part = ${part} AND session_id = ${sessionId} AND app_id = ${appId}
            AND due_at <= ${now} RETURNING *`,
    )
  return (await db.write(...taken)).flatMap((rows) => rows.map(debtOf))
}

/** This debt, unless an end has made it due since it was taken. */
const held = ({ part, sessionId, appId, heldUntil }: LogoutDebt): Statement =>
  sql`part = ${part} AND session_id = ${sessionId} AND app_id = ${appId} AND due_at = ${heldUntil}`

export async function putBackDebt(db: Database, debt: LogoutDebt, dueAt: number): Promise<void> {
  await db.write(sql`UPDATE logout_debts SET due_at = ${dueAt} WHERE ${held(debt)}`)
}

/** The times of a sign-in; undefined when its row is gone, long after its end. */
export async function findSignInTimes(db: Database, id: string): Promise<SignInTimes | undefined> {
  const row = await readOne(db, sql`SELECT ${SIGN_IN_TIMES} FROM sign_ins s WHERE s.id = ${id}`)
  return row && signInTimesOf(row)
}

export interface Receiver {
  readonly clientId: string
  readonly accountId: string
  /** The algorithm of its ID tokens (OpenID Connect Back-Channel Logout 1.0, 2.4). */
  readonly alg: SigningAlgorithm
  readonly url: string | undefined
}

/** Finds the receiver of a deleted app too: its server may still hold sessions. */
export async function findReceiver(db: Database, appId: string): Promise<Receiver | undefined> {
  const row = await readOne(
    db,
    sql`SELECT client_id, account_id, id_token_signed_response_alg, backchannel_logout_uri FROM apps
      WHERE id = ${appId}`,
  )
  return (
    row && {
      clientId: text(row, 'client_id'),
      accountId: text(row, 'account_id'),
      alg: idTokenAlgOf(row),
      url: optionalText(row, 'backchannel_logout_uri'),
    }
  )
}

export interface LogoutAttempt extends NoticeAnswer {
  readonly at: number
  readonly outcome: LogoutOutcome
}

/** Records an attempt that will be made again at `dueAt`. */
export async function recordRetry(
  db: Database,
  debt: LogoutDebt,
  attempt: LogoutAttempt,
  dueAt: number,
): Promise<void> {
  await db.write(
    sql`UPDATE logout_debts SET due_at = ${dueAt}, attempts = attempts + 1, ended_at = ${attempt.at}
      WHERE ${held(debt)}`,
    countOutcomeStatement(debt.appId, attempt),
  )
}

/**
 * Pays the debt: it goes, the event says how, the launches of the session show it. An address that answered
 * 410 is removed, unless it was changed since.
 */
export async function recordFinal(
  db: Database,
  debt: LogoutDebt,
  attempt: LogoutAttempt,
  event: AuditEvent,
  url: string | undefined,
): Promise<void> {
  const { part, sessionId, appId } = debt
  await db.write(
    sql`DELETE FROM logout_debts
      WHERE part = ${part} AND session_id = ${sessionId} AND app_id = ${appId}`,
    concerning(
      sessionId,
      sql`UPDATE launches SET logout_notice = ${formatLogoutNotice(attempt.outcome, attempt.at)}
        WHERE part = ${part} AND session_id = ${sessionId} AND app_id = ${appId}
          AND token_hash IS NOT NULL`,
    ),
    countOutcomeStatement(appId, attempt),
    insertEventStatement(event),
    ...(attempt.outcome === 'switched_off' && url
      ? removeAddressStatements(appId, url, attempt.at)
      : []),
  )
}

const removeAddressStatements = (appId: string, url: string, at: number): Statement[] => [
  sql`UPDATE apps SET backchannel_logout_uri = NULL, updated_at = ${at}
    WHERE id = ${appId} AND backchannel_logout_uri = ${url}`,
  bumpVersionStatement('apps'),
]

/** Counts in one row for each outcome of an app: how often, and the newest. */
const countOutcomeStatement = (
  appId: string,
  { outcome, at, status, answer }: LogoutAttempt,
): Statement =>
  sql`INSERT INTO logout_outcomes (app_id, outcome, count, at, status, answer)
    VALUES (${appId}, ${outcome}, 1, ${at}, ${status ?? null}, ${answer})
    ON CONFLICT (app_id, outcome) DO UPDATE SET count = logout_outcomes.count + 1,
      at = excluded.at, status = excluded.status, answer = excluded.answer`

export interface CountedOutcome extends LogoutAttempt {
  readonly count: number
}

export async function listOutcomes(db: Database, appId: string): Promise<CountedOutcome[]> {
  const rows = await db.read(
    sql`SELECT outcome, count, at, status, answer FROM logout_outcomes
      WHERE app_id = ${appId} ORDER BY at DESC`,
  )
  return rows.map((row) => ({
    outcome: text(row, 'outcome') as LogoutOutcome,
    count: integer(row, 'count'),
    at: integer(row, 'at'),
    status: optionalInteger(row, 'status'),
    answer: optionalText(row, 'answer') ?? '',
  }))
}

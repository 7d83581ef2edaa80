// The SQL of codes and access tokens. Race contract: one UPDATE redeems a code, its WHERE has every
// guard, and the same statement stores the access token. Of all callers, processes and retries only
// one gets a row for a code. Never decides a message. Security C01-C08.
import type { LaunchEvent } from '../audit/audit-entry.ts'
import { EFFECT, insertLaunchEventStatement } from '../audit/audit-store.ts'
import { type Database, readOne, writeOne } from '../db/database.ts'
import { integer, json, jsonOnce, optionalInteger, optionalText, text } from '../db/row.ts'
import { byKey, concerning, type Remembered, remember, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { partOfId } from '../kernel/partitions.ts'
import { type ExchangeClient, formatExchangeClient } from '../launches/exchange-client.ts'
import type { LaunchContext } from '../launches/launch.ts'
import { isSignInLive, type LivenessCutoff } from '../liveness/liveness.ts'
import {
  APP_IS_ENABLED,
  APP_IS_NOT_STOPPED,
  ENABLED_APP,
  IS_NOT_STOPPED,
  SIGN_IN_TIMES,
  signInTimesOf,
} from '../liveness/liveness-store.ts'
import { insertDebtStatement } from '../logout/logout-store.ts'
import type { CodeFacts } from './token.ts'

export interface Redemption {
  readonly launchId: string
  readonly codeHash: string
  readonly clientId: string
  readonly redirectUri: string | undefined
  /** The challenge; '' when no verifier was sent, undefined when the one sent cannot be valid. */
  readonly challenge: string | undefined
  readonly tokenHash: string
  readonly tokenExpiresAt: number
  readonly now: number
  readonly receivedAt: number
  /** The time at which this write begins; a later write of the launch knows when the answer was ready. */
  readonly answeredAt: number
  /** The time at which this node answered authorize; undefined when another node did. */
  readonly authorizeAnsweredAt: number | undefined
  readonly client: ExchangeClient
  /** The sign-in ends after this time without activity; undefined when the app wants no logout notice. */
  readonly logoutAfterMs: number | undefined
}

export interface Redeemed {
  readonly id: string
  readonly launchHash: string
  readonly sessionId: string
  readonly context: LaunchContext
  readonly scope: string
  readonly nonce: string | undefined
}

export type RedemptionResult =
  | { readonly redeemed: Redeemed }
  /** The code was valid; this attempt invalidated it and got no token. */
  | { readonly invalidated: CodeFacts }
  /** The statement changed no row. */
  | { readonly unchanged: CodeFacts | undefined }

/**
 * Redeems the code and stores its access token, in one statement. A wrong redirect URI or verifier
 * invalidates the code without a token: contract §2 allows one attempt of its own client.
 */
export async function redeemCode(
  db: Database,
  attempt: Redemption,
  event: LaunchEvent,
): Promise<RedemptionResult> {
  const { launchId, codeHash, clientId, redirectUri, challenge, now } = attempt
  const isValid = sql`code_expires_at > ${now}
    AND COALESCE(${redirectUri ?? null}, code_redirect_uri) = code_redirect_uri
    AND COALESCE(code_challenge, '') = ${challenge ?? 'none can match'}`
  const { receivedAt, answeredAt, authorizeAnsweredAt } = attempt
  const redemption = sql`UPDATE launches SET code_spent_at = ${now},
        exchange_received_at = ${receivedAt}, exchange_answered_at = ${answeredAt},
        authorize_answered_at = COALESCE(${authorizeAnsweredAt ?? null}, authorize_answered_at),
        exchange_client = ${formatExchangeClient(attempt.client)},
        token_hash = CASE WHEN ${isValid} THEN ${attempt.tokenHash} END,
        token_expires_at = CASE WHEN ${isValid}
          THEN CAST(${attempt.tokenExpiresAt} AS BIGINT) END
      WHERE id = ${launchId} AND part = ${partOfId(launchId)}
        AND code_hash = ${codeHash} AND client_id = ${clientId}
        AND code_spent_at IS NULL AND ended_at IS NULL AND ${APP_IS_ENABLED}
        AND ${APP_IS_NOT_STOPPED}
      RETURNING id, launch_hash, session_id, context, code_scope, code_nonce, token_hash, code_hash,
        client_id, code_expires_at, code_spent_at, code_redirect_uri, code_challenge, ended_at`
  const issued = insertLaunchEventStatement(event, EFFECT.exchanged(attempt.tokenHash))
  const debt =
    attempt.logoutAfterMs === undefined
      ? []
      : [insertDebtStatement(launchId, attempt.tokenHash, attempt.logoutAfterMs)]
  const [[row] = []] = await db.write(byKey(redemption, launchId), issued, ...debt)
  if (!row) return { unchanged: await findCodeFacts(db, launchId) }
  if (row.token_hash === null)
    return { invalidated: { ...codeFactsOf(row), codeSpentAt: undefined } }
  return {
    redeemed: {
      id: text(row, 'id'),
      launchHash: text(row, 'launch_hash'),
      sessionId: text(row, 'session_id'),
      context: json(row, 'context'),
      scope: text(row, 'code_scope'),
      nonce: optionalText(row, 'code_nonce'),
    },
  }
}

/** Invalidates a code after a failed attempt of its own client. Gives the EHR session. */
export async function invalidateCode(
  db: Database,
  launchId: string,
  codeHash: string,
  clientId: string,
  now: number,
): Promise<string | undefined> {
  const row = await writeOne(
    db,
    concerning(
      launchId,
      sql`UPDATE launches SET code_spent_at = ${now}
        WHERE id = ${launchId} AND part = ${partOfId(launchId)}
          AND code_hash = ${codeHash} AND client_id = ${clientId}
          AND code_spent_at IS NULL RETURNING session_id`,
    ),
  )
  return row && text(row, 'session_id')
}

export async function findCodeFacts(
  db: Database,
  launchId: string,
): Promise<CodeFacts | undefined> {
  const row = await readOne(
    db,
    // Joins, because Citus asks every partition for a subquery over sessions among the columns.
    sql`SELECT l.session_id, l.code_hash, l.client_id, l.code_expires_at, l.code_spent_at,
        l.code_redirect_uri, l.code_challenge, l.token_hash, l.ended_at,
        CASE WHEN a.id IS NOT NULL AND ${IS_NOT_STOPPED} THEN 1 ELSE 0 END AS app_is_enabled
      FROM launches l JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      LEFT JOIN ${ENABLED_APP}
      WHERE l.id = ${launchId} AND l.part = ${partOfId(launchId)} AND l.code_hash IS NOT NULL`,
  )
  return row && codeFactsOf(row)
}

function codeFactsOf(row: Parameters<typeof text>[0]): CodeFacts {
  return {
    sessionId: text(row, 'session_id'),
    codeHash: text(row, 'code_hash'),
    clientId: text(row, 'client_id'),
    codeExpiresAt: integer(row, 'code_expires_at'),
    codeSpentAt: optionalInteger(row, 'code_spent_at'),
    redirectUri: text(row, 'code_redirect_uri'),
    codeChallenge: optionalText(row, 'code_challenge'),
    hasToken: row.token_hash !== null,
    isEnded: row.ended_at !== null || row.app_is_enabled === 0,
  }
}

/** Revokes the token of a redeemed code that its client sent again (RFC 6749 4.1.2). */
export async function revokeTokenOfCode(
  db: Database,
  launchId: string,
  codeHash: string,
  clientId: string,
  now: number,
): Promise<void> {
  await db.write(
    concerning(
      launchId,
      sql`UPDATE launches SET token_revoked_at = ${now}
        WHERE id = ${launchId} AND part = ${partOfId(launchId)}
          AND code_hash = ${codeHash} AND client_id = ${clientId}
          AND token_hash IS NOT NULL AND token_revoked_at IS NULL`,
    ),
  )
}

/** A live access token, with its launch. */
export interface LiveToken {
  readonly launchId: string
  readonly launchHash: string
  readonly clientId: string
  readonly userId: string
  readonly sessionId: string
  readonly scope: string
  readonly context: LaunchContext
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Each use of a token reads it. Writes name its launch, session or sign-in; a change or stop of an app forgets all. */
const TOKEN_ROWS: Remembered = {
  name: 'token',
  tables: ['launches', 'ehr_sessions', 'apps', 'stopped_apps', 'stopped_ehrs'],
  recordsOf: (rows) =>
    rows.flatMap((row) => [text(row, 'id'), text(row, 'session_id'), text(row, 'sign_in_id')]),
  seesOthersAtOnce: true,
}

/** The token with this hash, if the token, its launch, its app and its sign-in are live. */
export async function findLiveToken(
  db: Database,
  launchId: string,
  tokenHash: string,
  cutoff: LivenessCutoff,
): Promise<LiveToken | undefined> {
  const row = await readOne(
    db,
    remember(
      sql`SELECT l.id, l.launch_hash, l.client_id, l.session_id, s.sign_in_id, l.code_scope, l.context,
        l.code_spent_at, l.token_expires_at, s.user_id, ${SIGN_IN_TIMES} FROM launches l
      JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id
      JOIN ${ENABLED_APP}
      WHERE l.id = ${launchId} AND l.part = ${partOfId(launchId)} AND l.token_hash = ${tokenHash}
        AND l.token_revoked_at IS NULL AND l.ended_at IS NULL AND ${IS_NOT_STOPPED}`,
      TOKEN_ROWS,
    ),
  )
  // Apart from the rows, which stay the same while time passes.
  const isLive =
    row && integer(row, 'token_expires_at') > cutoff.now && isSignInLive(signInTimesOf(row), cutoff)
  if (!isLive) return undefined
  return {
    launchId: text(row, 'id'),
    launchHash: text(row, 'launch_hash'),
    clientId: text(row, 'client_id'),
    userId: text(row, 'user_id'),
    sessionId: text(row, 'session_id'),
    scope: text(row, 'code_scope'),
    context: jsonOnce(row, 'context'),
    issuedAt: integer(row, 'code_spent_at'),
    expiresAt: integer(row, 'token_expires_at'),
  }
}

/** Revokes a token of this client. Gives the EHR session; undefined without such a token. */
export async function revokeToken(
  db: Database,
  tokenHash: string,
  clientId: string,
  event: LaunchEvent,
): Promise<string | undefined> {
  const revocation = sql`UPDATE launches SET token_revoked_at = ${event.at}
    WHERE id = ${event.launchId} AND part = ${partOfId(event.launchId)} AND token_hash = ${tokenHash} AND client_id = ${clientId}
      AND token_revoked_at IS NULL RETURNING session_id`
  const effect = EFFECT.revoked(tokenHash, event.at)
  const [[row] = []] = await db.write(
    concerning(event.launchId, revocation),
    insertLaunchEventStatement(event, effect),
  )
  return row && text(row, 'session_id')
}

export interface WaitingLaunch {
  readonly launchId: string
  readonly sessionId: string
  readonly clientId: string
  /** The redirect URI to which its code was sent. */
  readonly redirectUri: string
}

const MAX_WAITING = 200

/** The launches of all practices whose last code is recent and not spent, and that no page has tried to exchange. */
export async function listWaitingLaunches(
  db: Database,
  codesFrom: number,
  launchesFrom: number,
): Promise<readonly WaitingLaunch[]> {
  const rows =
    await db.read(sql`SELECT l.id, l.session_id, l.client_id, l.code_redirect_uri AS waits_at
    FROM launches l
    WHERE l.id >= ${idFloor('lau', Math.max(launchesFrom, 0))} AND l.authorized_at >= ${codesFrom}
      AND l.code_spent_at IS NULL AND l.ended_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM launch_failures f WHERE f.part = l.part AND f.launch_id = l.id
        AND f.reason = 'exchange_from_page')
    ORDER BY l.id DESC LIMIT ${MAX_WAITING}`)
  return rows.map((row) => ({
    launchId: text(row, 'id'),
    sessionId: text(row, 'session_id'),
    clientId: text(row, 'client_id'),
    redirectUri: text(row, 'waits_at'),
  }))
}

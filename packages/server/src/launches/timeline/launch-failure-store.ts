// The SQL of the failed steps of a launch: insert within a bound, list, with the evidence that the
// timeline shows. One row of `launches` counts all of them, also those that are not kept. Contract §3.
import type { LaunchEvent } from '../../audit/audit-entry.ts'
import { EFFECT, insertLaunchEventStatement } from '../../audit/audit-store.ts'
import type { Database, Row } from '../../db/database.ts'
import { integer, optionalInteger, optionalText, text } from '../../db/row.ts'
import { concerning, list, type Statement, sql } from '../../db/sql.ts'
import { partOfId } from '../../kernel/partitions.ts'
import type { Reason } from '../../kernel/reasons.ts'
import type { NamedValue } from '../evidence.ts'
import { formatExchangeClient, parseExchangeClient } from '../exchange-client.ts'
import type { Launch, LaunchFailure } from '../launch.ts'

/** The failures that are kept of one launch; a page in a loop must not fill the disk. The others are counted. */
export const MAX_FAILURES = 20

/** Counts the failure, and keeps it with its audit event while the launch has few of them. */
export async function insertLaunchFailure(
  db: Database,
  failure: LaunchFailure,
  event?: LaunchEvent,
): Promise<void> {
  const written = event ? [insertLaunchEventStatement(event, EFFECT.failed(failure.id))] : []
  await db.write(...insertFailureStatements(failure, sql`1 = 1`), ...written)
}

/**
 * Counts and keeps the failure of a launch that has made no step since it was read. Returns false when it has
 * made one: the finding then explains nothing.
 */
export async function insertSilence(
  db: Database,
  seen: Pick<Launch, 'authorizedAt' | 'tokenExpiresAt'>,
  failure: LaunchFailure,
): Promise<boolean> {
  const isSilent = sql`handshake_at IS NULL AND context_at IS NULL AND ended_at IS NULL
    AND COALESCE(authorized_at, 0) = ${seen.authorizedAt ?? 0}
    AND COALESCE(token_expires_at, 0) = ${seen.tokenExpiresAt ?? 0}`
  const [rows] = await db.write(...insertFailureStatements(failure, isSilent))
  return rows?.length === 1
}

function insertFailureStatements(failure: LaunchFailure, isAsSeen: Statement): Statement[] {
  const { id, launchId, fix, sent, part = partOfId(launchId) } = failure
  const client = failure.client && formatExchangeClient(failure.client)
  const evidence = fix || sent || client ? JSON.stringify({ fix, sent, client }) : null
  return [
    // The lock on this row puts parallel failures of one launch in a sequence.
    concerning(
      launchId,
      sql`UPDATE launches SET failure_count = failure_count + 1
        WHERE id = ${launchId} AND part = ${part} AND ${isAsSeen} RETURNING id`,
    ),
    sql`INSERT INTO launch_failures
          (id, part, launch_id, step, code, reason, detail, trace_id, evidence, received_at, failed_at)
        SELECT ${id}, l.part, l.id, ${failure.step}, ${failure.code}, ${failure.reason},
          ${failure.detail ?? null}, ${failure.traceId}, ${evidence},
          CAST(${failure.receivedAt ?? null} AS BIGINT), CAST(${failure.failedAt} AS BIGINT)
        FROM launches l
        WHERE l.id = ${launchId} AND l.part = ${part} AND l.failure_count <= ${MAX_FAILURES}
          AND ${isAsSeen}`,
  ]
}

/** The failures of these launches by launch, oldest first: one statement for all launches. */
export async function listLaunchFailures(
  db: Database,
  launches: readonly Pick<Launch, 'id' | 'part'>[],
): Promise<ReadonlyMap<string, readonly LaunchFailure[]>> {
  const ids = launches.map(({ id }) => id)
  const parts = [...new Set(launches.map(({ part }) => part))]
  const rows = await db.read(
    sql`SELECT * FROM launch_failures
      WHERE part IN (${list(parts)}) AND launch_id IN (${list(ids)}) ORDER BY id`,
  )
  return Map.groupBy(rows.map(failureOf), ({ launchId }) => launchId)
}

function failureOf(row: Row): LaunchFailure {
  const evidence = optionalText(row, 'evidence')
  const { fix, sent, client } = (evidence ? JSON.parse(evidence) : {}) as {
    fix?: string
    sent?: NamedValue[]
    client?: string
  }
  return {
    id: text(row, 'id'),
    launchId: text(row, 'launch_id'),
    step: text(row, 'step') as LaunchFailure['step'],
    code: text(row, 'code'),
    reason: text(row, 'reason') as Reason,
    detail: optionalText(row, 'detail'),
    fix,
    sent,
    client: parseExchangeClient(client),
    traceId: text(row, 'trace_id'),
    receivedAt: optionalInteger(row, 'received_at'),
    failedAt: integer(row, 'failed_at'),
  }
}

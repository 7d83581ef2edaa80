// Launches of practices with the audit events of their steps, written by the statements of the service and
// without its requests: thousands in a second. Owns no expectation.
import { EFFECT, insertLaunchEventStatement } from '../src/audit/audit-store.ts'
import { buildLaunchEvent, type LaunchAction } from '../src/audit/launch-event.ts'
import type { Database } from '../src/db/database.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { newClientId, newId, newIdIn, newTraceId } from '../src/kernel/identifiers.ts'
import { partOf, partOfId } from '../src/kernel/partitions.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'

const randomness = systemRandomness()

/** The EHR session of an account, as far as an event needs it. */
async function openSession(db: Database, accountId: string, at: number): Promise<string> {
  const part = partOf(accountId)
  const id = newIdIn(part, 'ses', at, randomness)
  await db.write(
    sql`INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id, apps, created_at,
        signed_in_at, expires_at, last_seen_at)
      VALUES (${id}, ${part}, 'sgn_1', 'usr_1', ${accountId}, 'meadow', 'device', '[]', ${at}, ${at}, ${at}, ${at})`,
  )
  return id
}

export interface Practice {
  readonly accountId: string
  readonly sessionId: string
  readonly userId: string
  readonly appId: string
  readonly clientId: string
}

export async function openPractice(db: Database, at: number): Promise<Practice> {
  const accountId = newId('acc', at, randomness)
  return {
    accountId,
    sessionId: await openSession(db, accountId, at),
    userId: newId('usr', at, randomness),
    appId: newId('app', at, randomness),
    clientId: newClientId(randomness),
  }
}

/** The writes of a launch that succeeds, with the events that its three steps add. */
export function launchStatements(practice: Practice, at: number): Statement[] {
  const { sessionId, userId, appId, clientId } = practice
  const id = newIdIn(partOfId(sessionId), 'lau', at, randomness)
  const stepOf = (action: LaunchAction, actor: string, now: number) => {
    const call = { now, address: '203.0.113.77', traceId: newTraceId(randomness) }
    const step = { action, actor, target: appId, launchId: id }
    return buildLaunchEvent({ randomness }, call, step)
  }
  return [
    sql`INSERT INTO launches (id, part, launch_hash, code_hash, token_hash, app_id, client_id, kind,
          session_id, sign_in_id, context, created_at, expires_at, app_disabled_count)
        VALUES (${id}, ${partOfId(id)}, ${`l${id}`}, ${`c${id}`}, ${`t${id}`}, ${appId}, ${clientId}, 'ui',
          ${sessionId}, 'sgn_1', '{}', ${at}, ${at}, 0)`,
    insertLaunchEventStatement(stepOf('launch', userId, at), EFFECT.launched(`l${id}`)),
    insertLaunchEventStatement(stepOf('authorize', userId, at + 700), EFFECT.authorized(`c${id}`)),
    insertLaunchEventStatement(stepOf('exchange', clientId, at + 900), EFFECT.exchanged(`t${id}`)),
  ]
}

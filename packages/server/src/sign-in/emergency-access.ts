// The alert of the emergency account (break-glass): each sign-in, and each wrong password, is a line at
// error level; a sign-in is an event of the platform's trail as well. docs/use/sign-in.md, security P03.

import type { FastifyBaseLogger } from 'fastify'
import { PLATFORM } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { recordOccurrenceStatement } from '../cluster/occurrence-store.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { User } from '../kernel/user.ts'

interface Caller {
  readonly address: string
  readonly now: number
  readonly traceId: string
}

/** Runs before the token leaves. @throws DatabaseUnavailable: without the event there is no access. */
export async function alertEmergencyAccess(
  { db, randomness }: HasDatabase & HasRandomness,
  { id }: Pick<User, 'id'>,
  { address, now, traceId, log }: Caller & { readonly log: FastifyBaseLogger },
): Promise<void> {
  await db.write(
    insertEventStatement({
      id: newId('evt', now, randomness),
      at: now,
      accountId: PLATFORM,
      actor: id,
      action: 'useEmergencyAccess',
      target: id,
      launchId: undefined,
      ip: address,
      outcome: 'ok',
      detail: { trace: traceId },
    }),
    recordOccurrenceStatement('emergency_sign_in', now),
  )
  log.error({ user: id, address, traceId }, 'ALERT: the emergency account has signed in')
}

export const alertEmergencyAttempt = (
  log: FastifyBaseLogger,
  { id }: Pick<User, 'id'>,
  address: string,
) => log.error({ user: id, address }, 'ALERT: a wrong password for the emergency account')

// The edge of /api/users/me/login-methods: lists the login methods of the caller and issues the one-time
// link for a new one. A new method takes a recent sign-in, so that a stolen session token does not
// become lasting access. Contract §4.

import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { LOGIN_METHODS, ONE_TIME_ADDRESS } from './credential-schema.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitationStatements } from './invitation-store.ts'
import type { LoginMethod } from './login-method.ts'
import { listLoginMethods } from './login-method-store.ts'
import { refuseEmergencyAccount } from './ordinary-user.ts'

const methodBody = ({ id, kind, label, createdAt, lastUsedAt }: LoginMethod) => ({
  id,
  kind,
  label,
  createdAt: rfc3339(createdAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function listMyLoginMethods(
  { db }: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof LOGIN_METHODS>> {
  const page = parsePage(call.query, { of: ['mth'] })
  const methods = await listLoginMethods(db, call.person.user.id)
  return { status: 200, body: pageOf(methods, page, methodBody) }
}

export async function addLoginMethod(
  { config, db, randomness }: HasConfig & HasDatabase & HasRandomness,
  call: PersonCall,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  const { user, signInId } = call.person
  refuseEmergencyAccount(user, call.log)
  const about = {
    userId: user.id,
    accountId: undefined,
    createdBy: user.id,
    signInId,
    purpose: 'method',
  } as const
  const minted = mintInvitation(config.baseUrl, about, call.now, randomness)
  await db.write(...insertInvitationStatements(minted))
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { url: minted.url, expiresAt: rfc3339(minted.invitation.expiresAt) },
  }
}

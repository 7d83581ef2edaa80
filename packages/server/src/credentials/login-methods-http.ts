// The edge of /api/users/me/login-methods: how a person can sign in, truthfully; and an address at
// which they add a way. Changing something takes a sign-in
// that is fresh: a token that was left open must not become a lasting key. Contract §4.

import type { Answer, PersonCall } from '../http/route.ts'
import { rfc3339 } from '../kernel/time.ts'
import { requireRecentAuth } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import type { LOGIN_METHODS, ONE_TIME_ADDRESS } from './credential-schema.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitationStatements } from './invitation-store.ts'
import type { LoginMethod } from './login-method.ts'
import { listLoginMethods } from './login-method-store.ts'

const methodBody = ({ id, kind, label, createdAt, lastUsedAt }: LoginMethod) => ({
  id,
  kind,
  label,
  createdAt: rfc3339(createdAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function listMyLoginMethods(
  service: Service,
  call: PersonCall,
): Promise<Answer<200, typeof LOGIN_METHODS>> {
  const methods = await listLoginMethods(service.db, call.person.user.id)
  return { status: 200, body: { items: methods.map(methodBody), nextCursor: null } }
}

export async function addLoginMethod(
  service: Service,
  call: PersonCall,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  requireRecentAuth(call)
  const { config, db, randomness } = service
  const { user, signInId } = call.person
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

// The edge of /api/users/me/login-methods: how a person can sign in, truthfully; an address at which
// they add a way, and the removal of one that is not the last. Changing something takes a sign-in
// that is fresh: a token that was left open must not become a lasting key. Contract §4.
import { ApiError, notFound } from '../errors.ts'
import { type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import type { Service } from '../service.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitation } from './invitation-store.ts'
import type { LoginMethod } from './login-method.ts'
import { deleteLoginMethod, listLoginMethods } from './login-method-store.ts'
import { isFreshlySignedIn } from './user.ts'

const methodBody = ({ id, kind, label, createdAt, lastUsedAt }: LoginMethod) => ({
  id,
  kind,
  label,
  createdAt: rfc3339(createdAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

/** @throws ApiError sign_in_again */
export function admitFresh({ person, now }: PersonCall<unknown>): void {
  if (isFreshlySignedIn(person, now)) return
  throw new ApiError(
    'sign_in_again',
    'How you sign in can be changed for ten minutes after you have signed in. Sign in again, then repeat this.',
  )
}

export async function listMyLoginMethods(service: Service, call: PersonCall): Promise<Reply> {
  const methods = await listLoginMethods(service.db, call.person.user.id)
  return { status: 200, body: { items: methods.map(methodBody), nextCursor: null } }
}

export async function addLoginMethod(service: Service, call: PersonCall): Promise<Reply> {
  admitFresh(call)
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
  await db.write(...insertInvitation(minted))
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { url: minted.url, expiresAt: rfc3339(minted.invitation.expiresAt) },
  }
}

export async function removeLoginMethod(service: Service, call: PersonCall): Promise<Reply> {
  admitFresh(call)
  const userId = call.person.user.id
  const id = call.params.id ?? ''
  if (await deleteLoginMethod(service.db, userId, id)) return { status: 204 }
  const isTheirs = (await listLoginMethods(service.db, userId)).some((method) => method.id === id)
  if (!isTheirs) throw notFound('login method')
  throw new ApiError('conflict', 'This is your only way to sign in. Add another one first.')
}

// The edge of the members of an account: list, invite, change the role, remove, reset. A user becomes a
// member by accepting; an invitation never changes the login methods of an existing user.
// Contract §4 (Members).

import { loadAccount } from '../accounts/account-access.ts'
import type { ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { mintInvitation } from '../credentials/invitation.ts'
import { insertInvitationStatements } from '../credentials/invitation-store.ts'
import { issueReset } from '../credentials/reset.ts'
import { UniqueViolation } from '../db/database.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/route.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import { rfc3339 } from '../kernel/time.ts'
import { normalizeEmail, type User } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import { findUserByEmail, insertUserStatement } from '../users/user-store.ts'
import type { INVITED_MEMBER, MEMBER, MEMBER_BODY, MEMBER_PATCH, MEMBERS } from './member-schema.ts'
import {
  deleteMember,
  findMember,
  isOnlyAccount,
  listMembers,
  type Member,
  updateMemberRole,
  upsertInvitedStatement,
} from './member-store.ts'

const memberBody = (member: Member): PayloadOf<typeof MEMBER> => ({
  id: member.id,
  email: member.email,
  name: member.name,
  role: member.role,
  state: member.isInvited ? 'invited' : 'active',
  createdAt: rfc3339(member.createdAt),
})

async function loadMember(
  service: Pick<Service, 'db'>,
  call: Omit<PersonCall<'id' | 'userId'>, 'body'>,
): Promise<Member> {
  const account = await loadAccount(service, call)
  const member = await findMember(service.db, account.id, call.params.userId)
  if (!member) throw notFound('member')
  return member
}

export async function listMembersOf(
  service: Pick<Service, 'db'>,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof MEMBERS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query)
  const limit = page.limit + 1
  const found = await listMembers(service.db, account.id, { cursor: page.cursor, limit })
  return { status: 200, body: buildPage(found, page, memberBody) }
}

export async function inviteMember(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  call: PersonCall<'id', typeof MEMBER_BODY>,
): Promise<Answer<201, typeof INVITED_MEMBER>> {
  const { db, config, randomness } = service
  const account = await loadAccount(service, call)
  const user = await loadOrCreateUser(service, call)
  const known = await findMember(db, account.id, user.id)
  if (known && !known.isInvited) {
    throw notInvitable()
  }
  const about = {
    userId: user.id,
    accountId: account.id,
    createdBy: call.person.user.id,
    signInId: undefined,
  }
  const minted = mintInvitation(
    config.baseUrl,
    { ...about, purpose: 'membership' },
    call.now,
    randomness,
  )
  await db.write(
    ...insertInvitationStatements(minted),
    upsertInvitedStatement(account.id, user.id, call.body, call.now),
  )
  const member = await findMember(db, account.id, user.id)
  if (!member) throw notFound('member')
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      ...memberBody(member),
      invitationUrl: minted.url,
      invitationExpiresAt: rfc3339(minted.invitation.expiresAt),
    },
  }
}

/** The user with this address; a new one has no login method before they accept. */
async function loadOrCreateUser(
  { db, randomness }: Pick<Service, 'db' | 'randomness'>,
  { body, now }: Pick<PersonCall<never, typeof MEMBER_BODY>, 'body' | 'now'>,
): Promise<User> {
  const email = normalizeEmail(body.email)
  const user: User = {
    id: newId('usr', now, randomness),
    email,
    name: body.name,
    role: 'member',
    createdAt: now,
    updatedAt: now,
  }
  const known = await findUserByEmail(db, email)
  if (known) return requireEnabled(known)
  try {
    await db.write(insertUserStatement(user))
    return user
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const other = await findUserByEmail(db, email)
    if (!other) throw error
    return requireEnabled(other)
  }
}

function requireEnabled({ user, isDisabled }: { user: User; isDisabled: boolean }): User {
  if (!isDisabled) return user
  throw notInvitable()
}

/** One text for both: an account does not learn which users the platform has disabled. */
const notInvitable = () =>
  new ApiError(
    'conflict',
    'This person cannot be invited: they are a member of the account, or may not join any. If they are not in the list of members, ask a platform administrator.',
  )

export async function patchMember(
  service: Pick<Service, 'db'>,
  call: PersonCall<'id' | 'userId', typeof MEMBER_PATCH>,
): Promise<Answer<200, typeof MEMBER>> {
  const member = await loadMember(service, call)
  const role = call.body.role ?? member.role
  if (!(await updateMemberRole(service.db, call.params.id, member.id, role))) {
    throw notFound('member')
  }
  return { status: 200, body: memberBody({ ...member, role }) }
}

export async function removeMember(
  service: Pick<Service, 'db' | 'subscriptions'>,
  call: PersonCall<'id' | 'userId'>,
): Promise<Answer<204>> {
  const member = await loadMember(service, call)
  const sessions = await deleteMember(service.db, call.params.id, member.id, call.now)
  const ended = { ended: 'session_ended' } as const
  await Promise.all(sessions.map((session) => service.subscriptions.notify(session, ended)))
  call.log.info({ user: member.id, sessions: sessions.length }, 'member removed')
  return { status: 204 }
}

/**
 * An account administrator resets only a member who belongs to no other account: with the reset link
 * the administrator could act as the member in every other account. @throws ApiError 403
 */
export async function resetMember(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  call: PersonCall<'id' | 'userId'>,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  const member = await loadMember(service, call)
  const account = call.params.id
  const isPlatformAdmin = call.person.user.role === 'admin'
  const mayReset =
    isPlatformAdmin ||
    (member.platformRole !== 'admin' &&
      !member.isInvited &&
      (await isOnlyAccount(service.db, account, member.id)))
  if (!mayReset) {
    throw new ApiError(
      'not_allowed',
      'This person belongs to other accounts too, or runs the platform, or has not accepted yet. A platform administrator can reset them.',
    )
  }
  const about = { userId: member.id, accountId: isPlatformAdmin ? undefined : account }
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: await issueReset(service, about, call),
  }
}

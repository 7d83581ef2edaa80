// The edge of the members of an account: list, invite, change the role, remove, reset. An invitation
// makes nobody a member before they accept it, and never touches how an existing person signs in.
// Contract §4 (Members).

import type { Account } from '../accounts/account.ts'
import { findAccount } from '../accounts/account-store.ts'
import type { ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { mintInvitation } from '../credentials/invitation.ts'
import { insertInvitationStatements } from '../credentials/invitation-store.ts'
import { issueReset } from '../credentials/reset.ts'
import { UniqueViolation } from '../db/database.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
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
  insertInvitedStatement,
  isOnlyAccount,
  listMembers,
  type Member,
  updateMemberRole,
} from './member-store.ts'

const memberBody = (member: Member): PayloadOf<typeof MEMBER> => ({
  id: member.id,
  email: member.email,
  name: member.name,
  role: member.role,
  state: member.isInvited ? 'invited' : 'active',
  createdAt: rfc3339(member.createdAt),
})

/** The account of this call, when the caller is what the route needs. @throws ApiError 404, 403 */
async function loadAccount(service: Service, call: RecordCall): Promise<Account> {
  const account = await findAccount(service.db, call.params.id)
  return requireAccess(call, 'account', account, { accountId: account?.id ?? '' })
}

async function loadMember(
  service: Service,
  call: Omit<PersonCall<'id' | 'userId'>, 'body'>,
): Promise<Member> {
  const account = await loadAccount(service, call)
  const member = await findMember(service.db, account.id, call.params.userId)
  if (!member) throw notFound('member')
  return member
}

export async function listMembersOf(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof MEMBERS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query)
  const limit = page.limit + 1
  const found = await listMembers(service.db, account.id, { cursor: page.cursor, limit })
  return { status: 200, body: buildPage(found, page, memberBody) }
}

export async function inviteMember(
  service: Service,
  call: PersonCall<'id', typeof MEMBER_BODY>,
): Promise<Answer<201, typeof INVITED_MEMBER>> {
  const { db, config, randomness } = service
  const account = await loadAccount(service, call)
  const user = await loadOrMakePerson(service, call)
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
    insertInvitedStatement(account.id, user.id, call.body, call.now),
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

/** The person with this address; a new one cannot sign in before they have accepted. */
async function loadOrMakePerson(
  { db, randomness }: Service,
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
  if (known) return admitEnabled(known)
  try {
    await db.write(insertUserStatement(user))
    return user
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const other = await findUserByEmail(db, email)
    if (!other) throw error
    return admitEnabled(other)
  }
}

function admitEnabled({ user, isDisabled }: { user: User; isDisabled: boolean }): User {
  if (!isDisabled) return user
  throw notInvitable()
}

/** One text: who is taken off the platform is nobody's business but the platform's. */
const notInvitable = () =>
  new ApiError(
    'conflict',
    'This person cannot be invited: they are a member of the account, or may not join any. If they are not in the list of members, ask a platform administrator.',
  )

export async function patchMember(
  service: Service,
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
  service: Service,
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
 * An administrator of the account resets how a member signs in: only of somebody who belongs to this
 * account alone, or they could act for the person in other accounts. @throws ApiError 403
 */
export async function resetMember(
  service: Service,
  call: PersonCall<'id' | 'userId'>,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  const member = await loadMember(service, call)
  const account = call.params.id
  const runsPlatform = call.person.user.role === 'admin'
  const isTheirs =
    runsPlatform ||
    (member.platformRole !== 'admin' &&
      !member.isInvited &&
      (await isOnlyAccount(service.db, account, member.id)))
  if (!isTheirs) {
    throw new ApiError(
      'not_allowed',
      'This person belongs to other accounts too, or runs the platform, or has not accepted yet. A platform administrator can reset them.',
    )
  }
  const about = { userId: member.id, accountId: runsPlatform ? undefined : account }
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: await issueReset(service, about, call),
  }
}

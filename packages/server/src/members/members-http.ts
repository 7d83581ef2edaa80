// The edge of the members of an account: list, invite, change the role, remove, reset. A user becomes a
// member by accepting; an invitation never changes the login methods of an existing user, and its answer
// is the same, from the same statements, whether the address has a user or not. [V10]
// Contract §4 (Members).

import { Readable } from 'node:stream'
import { loadAccount } from '../accounts/account-access.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { answerReset, type ResetAnswer } from '../credentials/reset.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { change, requireMatch } from '../http/input/conditional.ts'
import { parseFuture } from '../http/input/future-time.ts'
import { buildPage, isByName, parsePage, parseSearch } from '../http/input/pagination.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { ACCOUNT_ROLES, normalizeEmail } from '../kernel/user.ts'
import { findPlatformUser, findUser } from '../users/user-store.ts'
import { invitePerson } from './invite.ts'
import { CSV_HEAD, csvLineOf } from './member-csv.ts'
import type {
  INVITED_MEMBER,
  MEMBER,
  MEMBER_BODY,
  MEMBER_CHANGES,
  MEMBER_CHANGES_BODY,
  MEMBER_PATCH,
  MEMBERS,
} from './member-schema.ts'
import {
  deleteMember,
  deleteMembers,
  findMember,
  isOnlyAccount,
  listMembers,
  listMembersByIds,
  type Member,
  updateMember,
  updateMembers,
} from './member-store.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

const memberBody = (member: Member): PayloadOf<typeof MEMBER> => ({
  id: member.id,
  email: member.email,
  name: member.name,
  role: member.role,
  state: member.isInvited ? 'invited' : 'active',
  createdAt: rfc3339(member.createdAt),
  expiresAt: member.expiresAt === undefined ? null : rfc3339(member.expiresAt),
})

async function loadMember(
  service: HasDatabase,
  call: Omit<PersonCall<'id' | 'userId'>, 'body'>,
): Promise<Member> {
  const account = await loadAccount(service, call)
  const member = await findMember(service.db, account.id, call.params.userId)
  if (!member) throw notFound('member')
  return member
}

export async function listMembersOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof MEMBERS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query, { of: ['usr'] })
  const limit = page.limit + 1
  const q = parseSearch(call.query)
  const role = ACCOUNT_ROLES.find((one) => one === call.query.role)
  const asked = { cursor: page.cursor, limit, q, role, isByName: isByName(call.query) }
  if (asked.isByName && page.cursor !== '') await requirePlace(service, account.id, page.cursor)
  const found = await listMembers(service.db, account.id, asked)
  return { status: 200, body: buildPage(found, page, memberBody) }
}

/** A person who has left has no place among the names: the list would seem to end there. @throws ApiError 400 */
async function requirePlace({ db }: HasDatabase, accountId: string, cursor: string): Promise<void> {
  if (await findMember(db, accountId, cursor)) return
  throw new ApiError('invalid_request', 'The list has changed. Begin with its first page.', [
    { field: 'cursor', message: 'This person is no longer in the list.' },
  ])
}

export async function showMember(
  service: HasDatabase,
  call: PersonCall<'id' | 'userId'>,
): Promise<Answer<200, typeof MEMBER>> {
  return { status: 200, body: memberBody(await loadMember(service, call)) }
}

export async function inviteMember(
  service: Parts,
  call: PersonCall<'id', typeof MEMBER_BODY>,
): Promise<Answer<201, typeof INVITED_MEMBER>> {
  const account = await loadAccount(service, call)
  const { user } = call.person
  if (user.role === 'admin') await refuseDisabled(service, call.body.email)
  const expiresAt = parseFuture('expiresAt', call.body.expiresAt, call.now)
  const inviting = {
    accountId: account.id,
    person: { ...call.body, expiresAt },
    createdBy: user.id,
  }
  const invited = await invitePerson(service, inviting, call.now)
  if (invited === 'member') throw isMember()
  if (invited === 'full') {
    const max = service.config.maxMembersPerAccount
    throw limitReached('account', 'members', max, 'CHARTSIDE_MAX_MEMBERS_PER_ACCOUNT')
  }
  const { member, minted } = invited
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

/** Only an administrator of the platform learns it; the link of others does not work. @throws ApiError 409 */
async function refuseDisabled({ db }: HasDatabase, email: string): Promise<void> {
  const found = await findPlatformUser(db, { email: normalizeEmail(email) })
  if (!found?.isDisabled || found.isRemoved) return
  throw new ApiError(
    'conflict',
    'The platform has disabled this person. Enable them first: PATCH /api/users/:id {"disabled": false}, or chartside users enable.',
  )
}

/** A member of the own account, whose list shows it: about any other user an invitation reveals nothing. */
const isMember = () => new ApiError('conflict', 'This person is a member of the account already.')

export async function patchMember(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id' | 'userId', typeof MEMBER_PATCH>,
): Promise<Answer<200, typeof MEMBER>> {
  const changed = await change(call, {
    load: () => loadMember(service, call),
    show: memberBody,
    async write(stored) {
      const { role = stored.role, expiresAt: end } = call.body
      const expiresAt =
        end === undefined ? stored.expiresAt : parseFuture('expiresAt', end, call.now)
      const changed = { role, expiresAt }
      const ended = await updateMember(service.db, call.params.id, stored, changed, call.now)
      if (ended) await notifySessionsEnded(service, ended, 'revoked')
      return ended && { ...stored, ...changed }
    },
  })
  return { status: 200, body: memberBody(changed) }
}

export async function removeMember(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id' | 'userId'>,
): Promise<Answer<204>> {
  const member = await loadMember(service, call)
  requireMatch(call.ifMatch, memberBody(member))
  const sessions = await deleteMember(service.db, call.params.id, member.userId, call.now)
  await notifySessionsEnded(service, sessions, 'revoked')
  call.log.info({ user: member.id, sessions: sessions.length }, 'member removed')
  return { status: 204 }
}

/** Changes many people in one act: one write and one event of the trail. @throws ApiError 400, 409 */
export async function changeMembers(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id', typeof MEMBER_CHANGES_BODY>,
): Promise<Answer<200, typeof MEMBER_CHANGES>> {
  const account = await loadAccount(service, call)
  const { members: ids, role, expiresAt: end, remove } = call.body
  const isChange = role !== undefined || end !== undefined
  if (isChange === (remove === true)) {
    throw new ApiError('invalid_request', 'Send role or expiresAt, or remove.', [
      { field: '/remove', message: 'One act changes people, or removes them.' },
    ])
  }
  const found = await listMembersByIds(service.db, account.id, ids)
  const userIds = found.map(({ userId }) => userId)
  const expiresAt =
    end === undefined ? undefined : (parseFuture('expiresAt', end, call.now) ?? null)
  const change = { ...(role ? { role } : {}), ...(expiresAt === undefined ? {} : { expiresAt }) }
  call.auditNotes.detail = {
    people: found.map(({ id }) => id).join(' '),
    ...(role ? { role } : {}),
    ...(end === undefined ? {} : { expiresAt: end ?? 'none' }),
    ...(remove ? { remove: 'true' } : {}),
  }
  const done = remove
    ? await removeAll(service, account.id, userIds, call)
    : await changeAll(service, account.id, userIds, change, call.now)
  if (found.length > 0 && done.length === 0) throw needsAdministrator()
  const isDone = new Set(found.filter(({ userId }) => done.includes(userId)).map(({ id }) => id))
  const outcome = remove ? ('removed' as const) : ('changed' as const)
  const items = ids.map((id) => ({
    id,
    outcome: isDone.has(id) ? outcome : ('not_found' as const),
  }))
  return { status: 200, body: { items } }
}

const needsAdministrator = () =>
  new ApiError('conflict', 'The account would have no administrator left. Leave one out.')

async function changeAll(
  service: HasDatabase & HasSubscriptions,
  accountId: string,
  userIds: readonly string[],
  change: Parameters<typeof updateMembers>[3],
  now: number,
): Promise<string[]> {
  const done = await updateMembers(service.db, accountId, userIds, change, now)
  await notifySessionsEnded(service, done.sessions, 'revoked')
  return done.changed
}

async function removeAll(
  service: HasDatabase & HasSubscriptions,
  accountId: string,
  userIds: readonly string[],
  { now, log }: Pick<PersonCall, 'now' | 'log'>,
): Promise<string[]> {
  const { removed, sessions: ended } = await deleteMembers(service.db, accountId, userIds, now)
  await notifySessionsEnded(service, ended, 'revoked')
  log.info({ account: accountId, members: removed.length }, 'members removed')
  return removed
}

export async function exportMembers(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200>> {
  const account = await loadAccount(service, call)
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="people-${account.id.replace(/\W/g, '')}.csv"`,
      'cache-control': 'no-store',
    },
    body: Readable.from(readCsv(service, account.id)),
  }
}

const EXPORT_PAGE = 500

async function* readCsv({ db }: HasDatabase, accountId: string): AsyncGenerator<string> {
  yield CSV_HEAD
  for (let cursor = ''; ; ) {
    const members = await listMembers(db, accountId, { cursor, limit: EXPORT_PAGE })
    yield members.map(csvLineOf).join('')
    const last = members.at(-1)
    if (!last || members.length < EXPORT_PAGE) return
    cursor = last.id
  }
}

/**
 * An account administrator resets only a member who belongs to no other account: with the reset link
 * the administrator could act as the member in every other account. @throws ApiError 403
 */
export async function resetMember(
  service: Parts,
  call: PersonCall<'id' | 'userId'>,
): Promise<ResetAnswer> {
  const member = await loadMember(service, call)
  const account = call.params.id
  const isPlatformAdmin = call.person.user.role === 'admin'
  const mayReset =
    isPlatformAdmin ||
    (member.platformRole === 'member' &&
      !member.isInvited &&
      (await isOnlyAccount(service.db, account, member.userId)))
  if (!mayReset) {
    throw new ApiError(
      'not_allowed',
      'This person belongs to other accounts too, or runs the platform, or has not accepted yet. A platform administrator can reset them.',
    )
  }
  const user = await findUser(service.db, member.userId)
  if (!user) throw notFound('member')
  return answerReset(service, user, isPlatformAdmin ? undefined : account, call)
}

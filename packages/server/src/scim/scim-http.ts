// SCIM 2.0 for the directory of an account: read and change memberships. The
// resource is the membership. A person who exists is invited like any other: no directory takes over an
// account by an address, nor changes name, address or credentials of a person of two accounts. Contract §13.
import { insertEventStatement } from '../audit/audit-store.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasConfig } from '../config/config.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import type { Reply } from '../http/call.ts'
import { parseJson } from '../http/input/json.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { normalizeEmail } from '../kernel/user.ts'
import { invitePerson } from '../members/invite.ts'
import {
  deleteMemberUnlessLast,
  restoreMemberStatements,
  updateInvitedNameStatement,
} from '../members/member-store.ts'
import { updateNameInOnlyAccountStatement } from '../users/user-store.ts'
import type { ScimCall, ScimParts } from './directory-caller.ts'
import { ScimError, scimReply } from './scim-error.ts'
import {
  deleteDirectoryMemberStatement,
  findDirectoryMember,
  insertDirectoryMemberStatement,
  listDirectoryMembers,
  rememberAcceptedStatement,
  type StoredMember,
  upsertDirectoryMemberStatement,
} from './scim-store.ts'
import {
  type DirectoryFields,
  type DirectoryMember,
  nameOf,
  parseFilter,
  parsePatch,
  parseUser,
  userResource,
} from './scim-user.ts'

function jsonOf({ body }: ScimCall): unknown {
  try {
    return parseJson(body)
  } catch {
    throw new ScimError(400, 'The body is not valid JSON.', 'invalidSyntax')
  }
}

const locationOf = ({ config }: HasConfig, { accountId }: ScimCall, id: string) =>
  `${config.baseUrl}/scim/v2/${accountId}/Users/${id}`

function userReply(service: ScimParts, call: ScimCall, status: number, member: DirectoryMember) {
  const location = locationOf(service, call, member.id)
  return scimReply(status, userResource(member, location), { location })
}

const MAX_COUNT = 200
const DEFAULT_COUNT = 100

function numberOf(text: string | null, fallback: number): number {
  if (text === null || text === '') return fallback
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new ScimError(400, 'startIndex and count are integers.', 'invalidValue')
}

export const listReply = (total: number, startIndex: number, resources: readonly object[]): Reply =>
  scimReply(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

export async function listUsers(service: ScimParts, call: ScimCall): Promise<Reply> {
  const query = new URLSearchParams(call.query)
  const text = query.get('filter')
  const startIndex = Math.max(1, numberOf(query.get('startIndex'), 1))
  const limit = Math.min(MAX_COUNT, Math.max(0, numberOf(query.get('count'), DEFAULT_COUNT)))
  const { total, members } = await listDirectoryMembers(
    service.db,
    call.accountId,
    text === null ? undefined : parseFilter(text),
    { offset: startIndex - 1, limit },
  )
  const shown = members.map((one) => userResource(one, locationOf(service, call, one.id)))
  return listReply(total, startIndex, shown)
}

async function loadUser({ db }: HasDatabase, call: ScimCall): Promise<StoredMember> {
  const member = await findDirectoryMember(db, call.accountId, call.params.id ?? '')
  if (!member) throw new ScimError(404, 'This account has no user with this id.')
  return member
}

export async function showUser(service: ScimParts, call: ScimCall): Promise<Reply> {
  return userReply(service, call, 200, await loadUser(service, call))
}

const isTaken = () =>
  new ScimError(409, 'This account has a user with this name or external id.', 'uniqueness')
const lastAdministrator = () =>
  new ScimError(409, 'This is the last administrator of the account. Make another one first.')

async function audit(
  { db, randomness }: HasDatabase & HasRandomness,
  call: ScimCall,
  action: string,
  target: string,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { now, accountId, address, traceId, token } = call
  await db.write(
    insertEventStatement({
      ...{ id: newId('evt', now, randomness), at: now, accountId, actor: 'directory', action },
      ...{ target, launchId: undefined, ip: address, outcome: 'ok' },
      detail: { trace: traceId, token: token.id, ...detail },
    }),
  )
}

/** The id that the account sees. @throws ScimError 409, ApiError limit_reached */
async function invite(
  service: ScimParts,
  { accountId, token, now }: ScimCall,
  email: string,
  name: string,
): Promise<{ readonly id: string; readonly userId: string }> {
  const person = { email, name, role: 'provider' } as const
  const about = { accountId, person, createdBy: token.id }
  const invited = await invitePerson(service, about, now)
  if (invited === 'member') throw isTaken()
  if (invited === 'full') {
    const max = service.config.maxMembersPerAccount
    throw limitReached('account', 'members', max, 'CHARTSIDE_MAX_MEMBERS_PER_ACCOUNT')
  }
  return invited.member
}

export async function createUser(service: ScimParts, call: ScimCall): Promise<Reply> {
  const { active = true, ...fields } = parseUser(jsonOf(call))
  const { userName } = fields
  if (userName === undefined) throw new ScimError(400, 'userName is missing.', 'invalidValue')
  const workEmail = normalizeEmail(fields.workEmail ?? userName)
  if (!/^[^\s@]+@[^\s@]+$/.test(workEmail)) {
    throw new ScimError(400, 'The user needs an e-mail address of type work.', 'invalidValue')
  }
  const taken = [
    { by: 'userName', value: normalizeEmail(userName) } as const,
    { by: 'workEmail', value: workEmail } as const,
    ...(fields.externalId ? [{ by: 'externalId', value: fields.externalId } as const] : []),
  ]
  for (const filter of taken) {
    const found = await listDirectoryMembers(service.db, call.accountId, filter, ONE)
    if (found.total > 0) throw isTaken()
  }
  const { id, userId } = await invite(service, call, workEmail, nameOf(fields) ?? userName)
  const times = { createdAt: call.now, updatedAt: call.now }
  const externalId = fields.externalId
  const member = { ...fields, ...times, id, userId, userName, workEmail, externalId, active: true }
  await refuseTaken(service.db.write(insertDirectoryMemberStatement(call.accountId, member)))
  if (!active) await endMembership(service, call, member)
  await audit(service, call, 'scimCreateUser', id, { fields: Object.keys(fields).sort().join(' ') })
  return userReply(service, call, 201, { ...member, active })
}

const ONE = { offset: 0, limit: 1 } as const

async function refuseTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof UniqueViolation ? isTaken() : error
  }
}

async function endMembership(
  service: ScimParts,
  { accountId, now }: ScimCall,
  { userId }: Pick<DirectoryMember, 'userId'>,
): Promise<void> {
  const first = [rememberAcceptedStatement(accountId, userId)]
  const sessions = await deleteMemberUnlessLast(service.db, accountId, userId, now, first)
  if (!sessions) throw lastAdministrator()
  await notifySessionsEnded(service, sessions, 'revoked')
}

async function changeUser(
  service: ScimParts,
  call: ScimCall,
  changes: DirectoryFields,
): Promise<Reply> {
  const stored = await loadUser(service, call)
  const { accountId, now } = call
  const member: StoredMember = { ...stored, ...changes, updatedAt: now }
  const { userId } = member
  const name = nameOf(member)
  await refuseTaken(
    service.db.write(
      upsertDirectoryMemberStatement(accountId, member),
      ...(name === undefined || name === nameOf(stored)
        ? []
        : [
            updateNameInOnlyAccountStatement(userId, accountId, name, now),
            updateInvitedNameStatement(accountId, userId, name),
          ]),
    ),
  )
  if (stored.active && !member.active) await endMembership(service, call, member)
  if (!stored.active && member.active) {
    if (stored.isRestorable)
      await service.db.write(...restoreMemberStatements(accountId, userId, member.id, now))
    else await invite(service, call, stored.email, name ?? member.userName)
  }
  const fields = Object.keys(changes).sort().join(' ')
  await audit(service, call, 'scimChangeUser', member.id, { fields, active: `${member.active}` })
  return userReply(service, call, 200, member)
}

export const replaceUser = (service: ScimParts, call: ScimCall): Promise<Reply> =>
  changeUser(service, call, parseUser(jsonOf(call)))

export const patchUser = (service: ScimParts, call: ScimCall): Promise<Reply> =>
  changeUser(service, call, parsePatch(jsonOf(call)))

export async function deleteUser(service: ScimParts, call: ScimCall): Promise<Reply> {
  const member = await loadUser(service, call)
  await endMembership(service, call, member)
  await service.db.write(deleteDirectoryMemberStatement(call.accountId, member.userId))
  await audit(service, call, 'scimDeleteUser', member.id)
  return { status: 204 }
}

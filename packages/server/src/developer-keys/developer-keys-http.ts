// The handlers of the developer keys of the caller: make, list, delete. A key is in the response that makes it, and
// nowhere else; only its hash is stored. Decision 95.
import { findAccount } from '../accounts/account-store.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { hashBearer, mintBearer, newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_DEVELOPER_KEYS } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { type DeveloperKey, planKeyEnd, requireKeyMaker } from './developer-key.ts'
import type {
  DEVELOPER_KEY_BODY,
  DEVELOPER_KEYS,
  NEW_DEVELOPER_KEY,
} from './developer-key-schema.ts'
import { deleteDeveloperKey, insertDeveloperKey, listDeveloperKeys } from './developer-key-store.ts'

const keyBody = ({ id, name, account, createdAt, expiresAt, lastUsedAt }: DeveloperKey) => ({
  ...{ id, name, account },
  createdAt: rfc3339(createdAt),
  expiresAt: rfc3339(expiresAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function listMyKeys(
  { db }: HasDatabase,
  { person, query }: PersonCall,
): Promise<Answer<200, typeof DEVELOPER_KEYS>> {
  const page = parsePage(query, { of: ['dky'] })
  return { status: 200, body: pageOf(await listDeveloperKeys(db, person.user.id), page, keyBody) }
}

export async function createKey(
  { db, randomness }: HasDatabase & HasRandomness,
  call: PersonCall<never, typeof DEVELOPER_KEY_BODY>,
): Promise<Answer<201, typeof NEW_DEVELOPER_KEY>> {
  const { body, now, person } = call
  const found = await findAccount(db, body.accountId)
  const account = requireAccess(call, 'account', found, { accountId: found?.id ?? '' })
  requireKeyMaker(person, account.id)
  const id = newId('dky', now, randomness)
  const key = mintBearer('dk', id, randomness)
  const stored: DeveloperKey = {
    ...{ id, userId: person.user.id, account: { id: account.id, name: account.name } },
    ...{ tokenHash: hashBearer(key), name: body.name, createdAt: now, lastUsedAt: undefined },
    expiresAt: planKeyEnd(body.lifetimeDays, now),
  }
  const isInserted = await insertDeveloperKey(db, stored, person.signInId)
  if (isInserted === undefined) throw new ApiError('not_signed_in', 'The sign-in has ended.')
  if (!isInserted) throw limitReached('user', 'developer keys', MAX_DEVELOPER_KEYS)
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { ...keyBody(stored), key },
  }
}

export async function deleteKey(
  { db }: HasDatabase,
  { auditNotes, person, params }: PersonCall<'id'>,
): Promise<Answer<204>> {
  const accountId = await deleteDeveloperKey(db, person.user.id, params.id)
  if (accountId === undefined) throw notFound('developer key')
  auditNotes.accountId = accountId
  return { status: 204 }
}

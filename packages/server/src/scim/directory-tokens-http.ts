// The handlers of the directory tokens of an account: make, list, delete. A token is in the response that
// makes it, and nowhere else; only its hash is stored. Contract §16.
import { loadAccount } from '../accounts/account-access.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { notFound } from '../kernel/errors.ts'
import { hashBearer, mintBearer, newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_DIRECTORY_TOKENS } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import type {
  DIRECTORY_TOKEN_BODY,
  DIRECTORY_TOKENS,
  NEW_DIRECTORY_TOKEN,
} from './directory-token-schema.ts'
import {
  type DirectoryToken,
  deleteDirectoryToken,
  insertDirectoryToken,
  listDirectoryTokens,
} from './directory-token-store.ts'

const tokenBody = ({ id, label, createdAt, lastUsedAt }: DirectoryToken) => ({
  id,
  label: label ?? null,
  createdAt: rfc3339(createdAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function listTokensOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof DIRECTORY_TOKENS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query, { of: ['dir'] })
  return {
    status: 200,
    body: pageOf(await listDirectoryTokens(service.db, account.id), page, tokenBody),
  }
}

export async function createToken(
  service: HasDatabase & HasRandomness,
  call: PersonCall<'id', typeof DIRECTORY_TOKEN_BODY>,
): Promise<Answer<201, typeof NEW_DIRECTORY_TOKEN>> {
  const account = await loadAccount(service, call)
  const id = newId('dir', call.now, service.randomness)
  const token = mintBearer('scim', id, service.randomness)
  const stored: DirectoryToken = {
    id,
    accountId: account.id,
    tokenHash: hashBearer(token),
    label: call.body.label,
    createdAt: call.now,
    lastUsedAt: undefined,
  }
  if (!(await insertDirectoryToken(service.db, stored))) {
    throw limitReached('account', 'directory tokens', MAX_DIRECTORY_TOKENS)
  }
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { ...tokenBody(stored), token },
  }
}

export async function deleteToken(
  service: HasDatabase,
  call: PersonCall<'id' | 'tokenId'>,
): Promise<Answer<204>> {
  const account = await loadAccount(service, call)
  const isDeleted = await deleteDirectoryToken(service.db, account.id, call.params.tokenId)
  if (!isDeleted) throw notFound('directory token')
  return { status: 204 }
}

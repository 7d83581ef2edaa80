// The edge of /api/accounts. Who may not see an account gets 404, not 403; who sees it and may not
// change it gets 403. Contract §4.
import type { FromSchema } from 'json-schema-to-ts'
import { ApiError } from '../errors.ts'
import { buildPage, parsePage } from '../http/page-of.ts'
import { type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { admitTo } from '../users/access.ts'
import { listVisibleAccounts } from '../users/user.ts'
import type { Account } from './account.ts'
import {
  deleteAccount,
  findAccount,
  insertAccount,
  isCollectionVersionStored,
  listAccounts,
  updateAccount,
} from './account-store.ts'

const name = { type: 'string', minLength: 1, maxLength: 200 } as const

const COLLECTION_CHOICE = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['id', 'version'],
  properties: {
    id: { type: 'string', maxLength: 64 },
    version: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }] },
  },
} as const

export const ACCOUNT_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name, collection: COLLECTION_CHOICE },
} as const

export const ACCOUNT_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: { name, collection: COLLECTION_CHOICE },
} as const

type CollectionChoice = { id: string; version: number | 'latest' } | null | undefined

const accountBody = (account: Account) => ({
  id: account.id,
  name: account.name,
  collection: account.collection ?? null,
  createdAt: rfc3339(account.createdAt),
  updatedAt: rfc3339(account.updatedAt),
})

export async function listAccountsOf(service: Service, call: PersonCall): Promise<Reply> {
  const page = parsePage(call.query)
  const accountIds = listVisibleAccounts(call.person)
  const limit = page.limit + 1
  const found = await listAccounts(service.db, { accountIds, cursor: page.cursor, limit })
  return { status: 200, body: buildPage(found, page, accountBody) }
}

export async function createAccount(
  service: Service,
  call: PersonCall<FromSchema<typeof ACCOUNT_BODY>>,
): Promise<Reply> {
  const choice = call.body.collection as CollectionChoice
  const account: Account = {
    id: newId('acc', call.now, service.randomness),
    name: call.body.name,
    collection: await checkedCollection(service, choice),
    createdAt: call.now,
    updatedAt: call.now,
  }
  await service.db.write(insertAccount(account))
  return { status: 201, body: accountBody(account) }
}

async function checkedCollection(
  service: Service,
  choice: CollectionChoice,
): Promise<Account['collection']> {
  if (!choice) return undefined
  if (await isCollectionVersionStored(service.db, choice.id, choice.version)) return choice
  throw new ApiError('invalid_request', 'There is no such published collection version.', [
    { field: '/collection', message: 'Publish the collection first, then choose its version.' },
  ])
}

/** The account of this call, when the caller is what the route needs. @throws ApiError 404, 403 */
async function loadAccount(service: Service, call: PersonCall<unknown>): Promise<Account> {
  const account = await findAccount(service.db, call.params.id ?? '')
  return admitTo(call, 'account', account, { accountId: account?.id ?? '' })
}

export async function showAccount(service: Service, call: PersonCall): Promise<Reply> {
  return { status: 200, body: accountBody(await loadAccount(service, call)) }
}

export async function patchAccount(
  service: Service,
  call: PersonCall<FromSchema<typeof ACCOUNT_PATCH>>,
): Promise<Reply> {
  const stored = await loadAccount(service, call)
  const choice = call.body.collection as CollectionChoice
  const changed: Account = {
    ...stored,
    name: call.body.name ?? stored.name,
    collection: choice === undefined ? stored.collection : await checkedCollection(service, choice),
    updatedAt: Math.max(call.now, stored.updatedAt + 1),
  }
  if (!(await updateAccount(service.db, changed, stored.updatedAt))) {
    throw new ApiError('conflict', 'Somebody else changed this account just now. Read it again.')
  }
  return { status: 200, body: accountBody(changed) }
}

export async function removeAccount(service: Service, call: PersonCall): Promise<Reply> {
  const { id } = await loadAccount(service, call)
  const sessions = await deleteAccount(service.db, id, call.now)
  const ended = { ended: 'session_ended' } as const
  await Promise.all(sessions.map((session) => service.watchers.notify(session, ended)))
  return { status: 204 }
}

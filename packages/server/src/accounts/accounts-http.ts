// The edge of /api/accounts. Who may not see an account gets 404, not 403; who sees it and may not
// change it gets 403. Contract §4.
import type { FromSchema } from 'json-schema-to-ts'
import { ApiError } from '../errors.ts'
import { change } from '../http/conditional.ts'
import { applyMergePatch, buildPatchSchema } from '../http/merge-patch.ts'
import { buildPage, parsePage } from '../http/page-of.ts'
import { created, nextUpdate, type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { checkedBody } from '../http/schema-check.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { admitTo } from '../users/access.ts'
import { isAllowed, listVisibleAccounts, type Person } from '../users/user.ts'
import type { Account } from './account.ts'
import {
  deleteAccount,
  findAccount,
  findVersionOwner,
  insertAccount,
  listAccounts,
  updateAccount,
} from './account-store.ts'

const name = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  examples: ['Lakeside Family Practice'],
} as const

const COLLECTION_CHOICE = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'version'],
  properties: {
    id: { type: 'string', maxLength: 64, examples: ['col_01jnye6xw8q2v5n0m4r7ta'] },
    version: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'latest' }] },
  },
} as const

/** What may be set. An account without a collection runs nothing. */
const ACCOUNT_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name, collection: COLLECTION_CHOICE },
} as const

export const ACCOUNT_BODY = ACCOUNT_FIELDS
export const ACCOUNT_PATCH = buildPatchSchema(ACCOUNT_FIELDS)

type AccountFields = FromSchema<typeof ACCOUNT_FIELDS>
type Choice = NonNullable<Account['collection']>

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
  const account: Account = {
    id: newId('acc', call.now, service.randomness),
    name: call.body.name,
    collection: await checkedCollection(service, call.person, call.body.collection, undefined),
    createdAt: call.now,
    updatedAt: call.now,
  }
  await service.db.write(insertAccount(account))
  return created(`/api/accounts/${account.id}`, accountBody(account))
}

/**
 * The choice, when its version is published and the chooser may see the collection. What an account
 * has already it may keep, at any version: a platform administrator shares collections that way.
 */
async function checkedCollection(
  service: Service,
  person: Person,
  choice: Choice | undefined,
  stored: Choice | undefined,
): Promise<Choice | undefined> {
  if (!choice) return undefined
  const owner = await findVersionOwner(service.db, choice.id, choice.version)
  const isReachable = choice.id === stored?.id || (owner && isAllowed(person, owner, 'read'))
  if (owner !== undefined && isReachable) return choice
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

export async function patchAccount(service: Service, call: PersonCall<unknown>): Promise<Reply> {
  const account = await change(call, {
    load: () => loadAccount(service, call),
    show: accountBody,
    async write(stored) {
      const fields = checkedBody<AccountFields>(
        ACCOUNT_FIELDS,
        applyMergePatch(fieldsOf(stored), call.body),
      )
      const collection = await checkedCollection(
        service,
        call.person,
        fields.collection,
        stored.collection,
      )
      const updatedAt = nextUpdate(stored, call.now)
      const changed: Account = { ...stored, name: fields.name, collection, updatedAt }
      const isSaved = await updateAccount(service.db, changed, stored.updatedAt)
      return isSaved ? changed : undefined
    },
  })
  return { status: 200, body: accountBody(account) }
}

const fieldsOf = ({ name, collection }: Account) => ({
  name,
  ...(collection ? { collection } : {}),
})

export async function removeAccount(service: Service, call: PersonCall): Promise<Reply> {
  const sessions = await change(call, {
    load: () => loadAccount(service, call),
    show: accountBody,
    write: (stored) => deleteAccount(service.db, stored, call.now),
  })
  const ended = { ended: 'session_ended' } as const
  await Promise.all(sessions.map((session) => service.watchers.notify(session, ended)))
  return { status: 204 }
}

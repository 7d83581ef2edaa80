// The edge of /api/accounts. Who may not see an account gets 404, not 403; who sees it and may not
// change it gets 403. Contract §4.

import type { FromSchema } from 'json-schema-to-ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created, nextUpdate, type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { admitTo } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import { isAllowed, listVisibleAccounts, type Person } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import type { Account } from './account.ts'
import { type ACCOUNT_BODY, ACCOUNT_FIELDS } from './account-schema.ts'
import {
  deleteAccount,
  findAccount,
  findVersionOwner,
  insertAccount,
  listAccounts,
  updateAccount,
} from './account-store.ts'

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

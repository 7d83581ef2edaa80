// The edge of /api/accounts. Who may not see an account gets 404, not 403; who sees it and may not
// change it gets 403. Contract §4.

import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created } from '../http/replies.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { isAllowed, listVisibleAccounts, type Person } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import type { Account } from './account.ts'
import {
  type ACCOUNT,
  type ACCOUNT_BODY,
  ACCOUNT_FIELDS,
  type ACCOUNT_PATCH,
  type ACCOUNTS,
} from './account-schema.ts'
import {
  deleteAccount,
  findAccount,
  findVersionOwner,
  insertAccountStatement,
  listAccounts,
  updateAccount,
} from './account-store.ts'

type AccountFields = PayloadOf<typeof ACCOUNT_FIELDS>
type Choice = NonNullable<Account['collection']>

const accountBody = (account: Account): PayloadOf<typeof ACCOUNT> => ({
  id: account.id,
  name: account.name,
  collection: account.collection ?? null,
  createdAt: rfc3339(account.createdAt),
  updatedAt: rfc3339(account.updatedAt),
})

export async function listAccountsOf(
  service: Service,
  call: PersonCall,
): Promise<Answer<200, typeof ACCOUNTS>> {
  const page = parsePage(call.query)
  const accountIds = listVisibleAccounts(call.person)
  const limit = page.limit + 1
  const found = await listAccounts(service.db, { accountIds, cursor: page.cursor, limit })
  return { status: 200, body: buildPage(found, page, accountBody) }
}

export async function createAccount(
  service: Service,
  call: PersonCall<never, typeof ACCOUNT_BODY>,
): Promise<Answer<201, typeof ACCOUNT>> {
  const account: Account = {
    id: newId('acc', call.now, service.randomness),
    name: call.body.name,
    collection: await checkedCollection(service, call.person, call.body.collection, undefined),
    createdAt: call.now,
    updatedAt: call.now,
  }
  await service.db.write(insertAccountStatement(account))
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
async function loadAccount(service: Service, call: RecordCall): Promise<Account> {
  const account = await findAccount(service.db, call.params.id)
  return requireAccess(call, 'account', account, { accountId: account?.id ?? '' })
}

export async function showAccount(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof ACCOUNT>> {
  return { status: 200, body: accountBody(await loadAccount(service, call)) }
}

export async function patchAccount(
  service: Service,
  call: PersonCall<'id', typeof ACCOUNT_PATCH>,
): Promise<Answer<200, typeof ACCOUNT>> {
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

export async function removeAccount(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const sessions = await change(call, {
    load: () => loadAccount(service, call),
    show: accountBody,
    write: (stored) => deleteAccount(service.db, stored, call.now),
  })
  const ended = { ended: 'session_ended' } as const
  await Promise.all(sessions.map((session) => service.subscriptions.notify(session, ended)))
  return { status: 204 }
}

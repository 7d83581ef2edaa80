// The edge of /api/accounts. A caller who may not see an account gets 404; one who sees it and may not
// change it gets 403. Contract §4.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, parsePage, parseSearch, sayHidden } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created } from '../http/replies.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { isAllowed, listVisibleAccounts, type Person } from '../kernel/user.ts'
import type { Account } from './account.ts'
import { loadAccount } from './account-access.ts'
import {
  type ACCOUNT,
  type ACCOUNT_BODY,
  ACCOUNT_FIELDS,
  type ACCOUNT_PATCH,
  type ACCOUNTS,
} from './account-schema.ts'
import {
  deleteAccount,
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
  ...(account.shortName === undefined ? {} : { shortName: account.shortName }),
  ...(account.externalId === undefined ? {} : { externalId: account.externalId }),
  collection: account.collection ?? null,
  requireSecondFactor: account.requireSecondFactor,
  createdAt: rfc3339(account.createdAt),
  updatedAt: rfc3339(account.updatedAt),
})

export async function listAccountsOf(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof ACCOUNTS>> {
  const page = parsePage(call.query, { of: ['acc'] })
  const accountIds = listVisibleAccounts(call.person)
  const limit = page.limit + 1
  const { collectionId } = call.query
  const asked = { q: parseSearch(call.query), collectionId }
  const found = await listAccounts(service.db, { accountIds, cursor: page.cursor, limit, ...asked })
  const isHidden = collectionId !== undefined && accountIds !== 'all'
  const body = sayHidden(buildPage(found, page, accountBody), call.query, isHidden)
  return { status: 200, body }
}

export async function createAccount(
  service: HasDatabase & HasRandomness,
  call: PersonCall<never, typeof ACCOUNT_BODY>,
): Promise<Answer<201, typeof ACCOUNT>> {
  const account: Account = {
    id: newId('acc', call.now, service.randomness),
    name: call.body.name,
    shortName: call.body.shortName,
    collection: await checkedCollection(service, call.person, call.body.collection, undefined),
    requireSecondFactor: call.body.requireSecondFactor ?? false,
    createdAt: call.now,
    updatedAt: call.now,
  }
  await service.db.write(insertAccountStatement(account)).catch(refuseTakenName)
  return created(`/api/accounts/${account.id}`, accountBody(account))
}

/**
 * The choice, if its version is published and the caller may see the collection. An account may keep the
 * collection that it has, at any version: a platform administrator shares collections that way.
 */
async function checkedCollection(
  service: HasDatabase,
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

export async function showAccount(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof ACCOUNT>> {
  return { status: 200, body: accountBody(await loadAccount(service, call)) }
}

export async function patchAccount(
  service: HasDatabase,
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
      const { name, shortName, requireSecondFactor = false } = fields
      const own = { name, shortName, collection, requireSecondFactor }
      const changed: Account = { ...stored, ...own, updatedAt }
      const isSaved = await updateAccount(service.db, changed, stored.updatedAt).catch(
        refuseTakenName,
      )
      return isSaved ? changed : undefined
    },
  })
  return { status: 200, body: accountBody(account) }
}

/** @throws ApiError conflict */
function refuseTakenName(error: unknown): never {
  if (!(error instanceof UniqueViolation)) throw error
  throw new ApiError('conflict', 'Another account has this short name. Choose another one.')
}

const fieldsOf = ({ name, shortName, collection, requireSecondFactor }: Account) => ({
  name,
  requireSecondFactor,
  ...(shortName === undefined ? {} : { shortName }),
  ...(collection ? { collection } : {}),
})

export async function removeAccount(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const sessions = await change(call, {
    load: () => loadAccount(service, call),
    show: accountBody,
    write: (stored) => deleteAccount(service.db, stored, call.now),
  })
  await notifySessionsEnded(service, sessions, 'account_closed')
  return { status: 204 }
}

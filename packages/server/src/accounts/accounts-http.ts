// The edge of /api/accounts. A caller who may not see an account gets 404; one who sees it and may not
// change it gets 403. Contract §4.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import { ALWAYS, type Statement, sql } from '../db/sql.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, isByName, parsePage, parseSearch, sayHidden } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created } from '../http/replies.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { isAllowed, listVisibleAccounts, type Person } from '../kernel/user.ts'
import { practiceEventsOf } from '../outbox/vendor-event-store.ts'
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
  type AppsChange,
  deleteAccount,
  findRunApps,
  findVersionOwner,
  insertAccountStatement,
  isChangedTo,
  isDeletedAt,
  isLatestOf,
  isTrue,
  isVersionGiven,
  listAccounts,
  lockCollectionStatement,
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
  joinByDomain: account.joinByDomain,
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
  const asked = { q: parseSearch(call.query), collectionId, isByName: isByName(call.query) }
  const found = await listAccounts(service.db, { accountIds, cursor: page.cursor, limit, ...asked })
  const isHidden = collectionId !== undefined && accountIds !== 'all'
  const body = sayHidden(buildPage(found, page, accountBody), call.query, isHidden)
  return { status: 200, body }
}

export async function createAccount(
  service: HasDatabase & HasRandomness,
  call: PersonCall<never, typeof ACCOUNT_BODY>,
): Promise<Answer<201, typeof ACCOUNT>> {
  await requireChoice(service, call.person, call.body.collection, undefined)
  const account: Account = {
    id: newId('acc', call.now, service.randomness),
    name: call.body.name,
    shortName: call.body.shortName,
    collection: call.body.collection,
    requireSecondFactor: call.body.requireSecondFactor ?? false,
    joinByDomain: call.body.joinByDomain ?? 'off',
    createdAt: call.now,
    updatedAt: call.now,
  }
  const { locks, events } = await planAppsChange(service, account, undefined)
  const insert = insertAccountStatement(account)
  await service.db.write(...locks, insert, ...events).catch(refuseTakenName)
  return created(`/api/accounts/${account.id}`, accountBody(account))
}

/**
 * Accepts a choice whose version is published, of a collection that the caller may see. An account may keep the
 * collection that it has, at every version that is given to it: a platform administrator shares collections that way.
 * Gives what must still be true when the choice is saved.
 */
async function requireChoice(
  { db }: HasDatabase,
  person: Person,
  choice: Choice | undefined,
  account: Pick<Account, 'id' | 'collection'> | undefined,
): Promise<Statement> {
  if (!choice) return ALWAYS
  const { id, version } = choice
  const owner = await findVersionOwner(db, id, version)
  if (owner !== undefined && isAllowed(person, owner, 'read')) return ALWAYS
  if (account && id === account.collection?.id) {
    if (version === 'latest' || version === account.collection.version) return ALWAYS
    const isGiven = isVersionGiven(account.id, id, version)
    if (await isTrue(db, isGiven)) return isGiven
    throw new ApiError('invalid_request', 'This version is not given to the account.', [
      { field: '/collection/version', message: 'Choose latest, or a version that is given to it.' },
    ])
  }
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
  service: HasDatabase & HasRandomness,
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
      const { collection } = fields
      const isGiven = await requireChoice(service, call.person, collection, stored)
      const updatedAt = nextUpdate(stored, call.now)
      const { name, shortName, requireSecondFactor = false, joinByDomain = 'off' } = fields
      const own = { name, shortName, collection, requireSecondFactor, joinByDomain }
      const changed: Account = { ...stored, ...own, updatedAt }
      const change = await planAppsChange(service, changed, stored.collection)
      const isSaved = await updateAccount(service.db, changed, stored.updatedAt, {
        ...change,
        isSeen: sql`${change.isSeen} AND ${isGiven}`,
      }).catch(refuseTakenName)
      return isSaved ? changed : undefined
    },
  })
  return { status: 200, body: accountBody(account) }
}

/** Plans the webhook events for the vendors whose apps a new collection adds or removes. */
async function planAppsChange(
  { db, randomness }: HasDatabase & HasRandomness,
  account: Account,
  stored: Choice | undefined,
): Promise<AppsChange> {
  const { collection, updatedAt: at } = account
  const isSame = collection?.id === stored?.id && collection?.version === stored?.version
  const choices = isSame ? [] : [stored, collection]
  const [before, after] = await Promise.all(
    choices.map((choice) => findRunApps(db, account.id, choice)),
  )
  const ids = choices.flatMap((choice) => (choice ? [choice.id] : [])).sort()
  const seen = [stored, collection].flatMap((choice, i) => {
    const version = [before, after][i]?.version
    const isLatest = choice?.version === 'latest' && version !== undefined
    return isLatest ? [isLatestOf(account.id, choice.id, version)] : []
  })
  return {
    locks: [...new Set(ids)].map(lockCollectionStatement),
    isSeen: seen.reduce((all, one) => sql`${all} AND ${one}`, ALWAYS),
    events: practiceEventsOf(
      { before: before?.appIds ?? [], after: after?.appIds ?? [] },
      { at, once: `${account.id} ${at}` },
      isChangedTo(account),
      randomness,
    ),
  }
}

/** @throws ApiError conflict */
function refuseTakenName(error: unknown): never {
  if (!(error instanceof UniqueViolation)) throw error
  throw new ApiError('conflict', 'Another account has this short name. Choose another one.')
}

const fieldsOf = ({ name, shortName, collection, requireSecondFactor, joinByDomain }: Account) => ({
  name,
  requireSecondFactor,
  joinByDomain,
  ...(shortName === undefined ? {} : { shortName }),
  ...(collection ? { collection } : {}),
})

export async function removeAccount(
  service: HasDatabase & HasRandomness & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const { now } = call
  const sessions = await change(call, {
    load: () => loadAccount(service, call),
    show: accountBody,
    async write(stored) {
      const apps = await findRunApps(service.db, stored.id, stored.collection)
      const events = practiceEventsOf(
        { before: apps?.appIds ?? [], after: [] },
        { at: now, once: stored.id },
        isDeletedAt(stored.id, now),
        service.randomness,
      )
      return deleteAccount(service.db, stored, now, events)
    },
  })
  await notifySessionsEnded(service, sessions, 'account_closed')
  return { status: 204 }
}

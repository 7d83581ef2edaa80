// The handlers of /api/collections: create, change and delete a collection and its draft. Never
// publishes. Contract §4 (Collection).

import { isDeepStrictEqual } from 'node:util'
import { findAccount } from '../accounts/account-store.ts'
import { runsHiddenCollection } from '../apps/app-store.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, isByName, parsePage, parseSearch, sayHidden } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created } from '../http/replies.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { listVisibleAccounts } from '../kernel/user.ts'
import {
  type Collection,
  type CollectionContent,
  type CollectionSummary,
  listPatternProblems,
} from './collection.ts'
import {
  type COLLECTION,
  type COLLECTION_BODY,
  COLLECTION_FIELDS,
  type COLLECTION_PATCH,
  type COLLECTIONS,
} from './collection-schema.ts'
import {
  deleteCollection,
  findCollection,
  insertCollection,
  isCollectionInUse,
  listCollections,
  updateCollection,
} from './collection-store.ts'

type CollectionFields = PayloadOf<typeof COLLECTION_FIELDS>

const summaryBody = (collection: CollectionSummary) => ({
  id: collection.id,
  accountId: collection.accountId,
  name: collection.name,
  description: collection.description,
  latestVersion: collection.latestVersion,
  createdAt: rfc3339(collection.createdAt),
  updatedAt: rfc3339(collection.updatedAt),
})

export const collectionBody = (collection: Collection) => ({
  ...summaryBody(collection),
  draft: collection.draft,
})

const withFields = <T>(stored: T, { name, description, draft }: CollectionFields) => ({
  ...stored,
  name,
  description: description ?? '',
  draft: (draft ?? { ehrs: [], apps: [] }) as CollectionContent,
})

/** Refuses bad patterns as the draft is written, not at the next publish. @throws ApiError invalid_request */
function requirePatterns({ draft }: Collection): void {
  const problems = listPatternProblems(draft).slice(0, MAX_PROBLEMS)
  if (problems.length === 0) return
  throw new ApiError('invalid_request', 'A pattern of the draft is not valid.', problems)
}

const MAX_PROBLEMS = 20

export async function listCollectionsOf(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof COLLECTIONS>> {
  const page = parsePage(call.query, { of: ['col'] })
  const { accountId } = call.query
  const visible = listVisibleAccounts(call.person)
  if (accountId !== undefined) {
    const account = await findAccount(service.db, accountId)
    requireAccess(call, 'account', account, { accountId })
  }
  const accountIds = accountId === undefined ? visible : [accountId]
  const limit = page.limit + 1
  const asked = { q: parseSearch(call.query), isByName: isByName(call.query) }
  const found = await listCollections(service.db, {
    ...{ accountIds, cursor: page.cursor, limit },
    ...asked,
  })
  const isHidden =
    found.length === 0 && (await runsHiddenCollection(service.db, accountIds, visible))
  const body = buildPage(found, page, summaryBody)
  return { status: 200, body: sayHidden(body, call.query, isHidden) }
}

export async function createCollection(
  service: HasConfig & HasDatabase & HasRandomness,
  call: PersonCall<never, typeof COLLECTION_BODY>,
): Promise<Answer<201, typeof COLLECTION>> {
  const { body, now } = call
  const { accountId } = body
  requireAccess(call, 'account', await findAccount(service.db, accountId), { accountId })
  const blank = {
    id: newId('col', now, service.randomness),
    accountId,
    latestVersion: 0,
    createdAt: now,
    updatedAt: now,
  }
  const collection: Collection = withFields(blank, body)
  requirePatterns(collection)
  const max = service.config.maxCollectionsPerAccount
  if (!(await insertCollection(service.db, collection, max))) {
    throw limitReached('account', 'collections', max, 'CHARTSIDE_MAX_COLLECTIONS_PER_ACCOUNT')
  }
  return created(`/api/collections/${collection.id}`, collectionBody(collection))
}

/** The collection of `:id`, if the caller has the permission of the route. @throws ApiError 404, 403 */
export async function loadCollection(service: HasDatabase, call: RecordCall): Promise<Collection> {
  return requireAccess(call, 'collection', await findCollection(service.db, call.params.id))
}

export async function showCollection(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof COLLECTION>> {
  return { status: 200, body: collectionBody(await loadCollection(service, call)) }
}

export async function patchCollection(
  service: HasDatabase,
  call: PersonCall<'id', typeof COLLECTION_PATCH>,
): Promise<Answer<200, typeof COLLECTION>> {
  const collection = await change(call, {
    load: () => loadCollection(service, call),
    show: collectionBody,
    async write(stored) {
      const { name, description, draft } = stored
      const merged = applyMergePatch({ name, description, draft }, call.body)
      const fields = withFields(stored, checkedBody<CollectionFields>(COLLECTION_FIELDS, merged))
      const changed: Collection = { ...fields, updatedAt: nextUpdate(stored, call.now) }
      if (!isDeepStrictEqual(changed.draft, stored.draft)) requirePatterns(changed)
      const isSaved = await updateCollection(service.db, changed, stored.updatedAt)
      return isSaved ? changed : undefined
    },
  })
  return { status: 200, body: collectionBody(collection) }
}

export async function removeCollection(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  await change(call, {
    load: () => loadCollection(service, call),
    show: collectionBody,
    async write(stored) {
      if (await deleteCollection(service.db, stored, call.now)) return true
      if (!(await isCollectionInUse(service.db, stored.id))) return undefined
      throw new ApiError('conflict', 'An account uses this collection. Give it another one first.')
    },
  })
  return { status: 204 }
}

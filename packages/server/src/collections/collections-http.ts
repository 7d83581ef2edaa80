// The edge of /api/collections and their versions: drafts change, versions never do.
// Contract §4 (Collection, Version).
import type { FromSchema } from 'json-schema-to-ts'
import { findAccount } from '../accounts/account-store.ts'
import { ApiError, notFound } from '../errors.ts'
import { buildPage, parsePage } from '../http/page-of.ts'
import { type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { admitTo } from '../users/access.ts'
import { listVisibleAccounts } from '../users/user.ts'
import type { Collection, CollectionContent, CollectionVersion } from './collection.ts'
import {
  deleteCollection,
  findCollection,
  findVersion,
  insertCollection,
  insertVersion,
  listCollections,
  listVersions,
  updateCollection,
} from './collection-store.ts'

const EHR_TYPE = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' } as const

export const COLLECTION_CONTENT = {
  type: 'object',
  additionalProperties: false,
  required: ['ehrs', 'apps'],
  properties: {
    ehrs: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['ehrType', 'name', 'matches'],
        properties: {
          ehrType: EHR_TYPE,
          name: { type: 'string', minLength: 1, maxLength: 200 },
          matches: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 500 } },
        },
      },
    },
    apps: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['appId', 'autoLaunch'],
        properties: {
          appId: { type: 'string', maxLength: 64 },
          ehrTypes: { type: 'array', maxItems: 100, items: EHR_TYPE },
          autoLaunch: { type: 'boolean' },
        },
      },
    },
  },
} as const

const name = { type: 'string', minLength: 1, maxLength: 200 } as const
const description = { type: 'string', maxLength: 2000 } as const

export const COLLECTION_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['accountId', 'name'],
  properties: {
    accountId: { type: 'string', maxLength: 64 },
    name,
    description,
    draft: COLLECTION_CONTENT,
  },
} as const

export const COLLECTION_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: { name, description, draft: COLLECTION_CONTENT },
} as const

export const PUBLISH_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: { notes: { type: 'string', maxLength: 2000 } },
} as const

const collectionBody = (collection: Collection) => ({
  ...collection,
  createdAt: rfc3339(collection.createdAt),
  updatedAt: rfc3339(collection.updatedAt),
})

const versionBody = (version: CollectionVersion) => ({
  ...version,
  publishedAt: rfc3339(version.publishedAt),
})

export async function listCollectionsOf(service: Service, call: PersonCall): Promise<Reply> {
  const page = parsePage(call.query)
  const accountIds = listVisibleAccounts(call.person)
  const found = await listCollections(service.db, {
    accountIds,
    cursor: page.cursor,
    limit: page.limit + 1,
  })
  return { status: 200, body: buildPage(found, page, collectionBody) }
}

export async function createCollection(
  service: Service,
  call: PersonCall<FromSchema<typeof COLLECTION_BODY>>,
): Promise<Reply> {
  const { body, now } = call
  const { accountId } = body
  admitTo(call, 'account', await findAccount(service.db, accountId), { accountId })
  const collection: Collection = {
    id: newId('col', now, service.randomness),
    accountId,
    name: body.name,
    description: body.description ?? '',
    draft: (body.draft ?? { ehrs: [], apps: [] }) as CollectionContent,
    latestVersion: 0,
    createdAt: now,
    updatedAt: now,
  }
  await service.db.write(insertCollection(collection))
  return { status: 201, body: collectionBody(collection) }
}

/** The collection of this call, when the caller is what the route needs. @throws ApiError 404, 403 */
async function loadCollection(service: Service, call: PersonCall<unknown>): Promise<Collection> {
  return admitTo(call, 'collection', await findCollection(service.db, call.params.id ?? ''))
}

export async function showCollection(service: Service, call: PersonCall): Promise<Reply> {
  return { status: 200, body: collectionBody(await loadCollection(service, call)) }
}

export async function patchCollection(
  service: Service,
  call: PersonCall<FromSchema<typeof COLLECTION_PATCH>>,
): Promise<Reply> {
  const stored = await loadCollection(service, call)
  const changed: Collection = {
    ...stored,
    name: call.body.name ?? stored.name,
    description: call.body.description ?? stored.description,
    draft: (call.body.draft ?? stored.draft) as CollectionContent,
    updatedAt: Math.max(call.now, stored.updatedAt + 1),
  }
  if (!(await updateCollection(service.db, changed, stored.updatedAt))) {
    throw new ApiError('conflict', 'Somebody else changed this collection just now. Read it again.')
  }
  return { status: 200, body: collectionBody(changed) }
}

export async function removeCollection(service: Service, call: PersonCall): Promise<Reply> {
  const { id } = await loadCollection(service, call)
  await deleteCollection(service.db, id, call.now)
  return { status: 204 }
}

export async function publishVersion(
  service: Service,
  call: PersonCall<FromSchema<typeof PUBLISH_BODY>>,
): Promise<Reply> {
  const { id } = await loadCollection(service, call)
  const notes = call.body.notes ?? ''
  const version = await insertVersion(service.db, id, notes, call.person.user.id, call.now)
  if (!version) throw notFound('collection')
  return { status: 201, body: versionBody(version) }
}

export async function listVersionsOf(service: Service, call: PersonCall): Promise<Reply> {
  const { id } = await loadCollection(service, call)
  const page = parsePage(call.query, String(Number.MAX_SAFE_INTEGER))
  const before = Number(page.cursor)
  const found = Number.isSafeInteger(before)
    ? await listVersions(service.db, id, before, page.limit + 1)
    : []
  const numbered = found.map((version) => ({ ...version, id: String(version.version) }))
  return { status: 200, body: buildPage(numbered, page, ({ id: _, ...rest }) => versionBody(rest)) }
}

export async function showVersion(service: Service, call: PersonCall): Promise<Reply> {
  const { id } = await loadCollection(service, call)
  const version = /^\d{1,15}$/.test(call.params.version ?? '')
    ? await findVersion(service.db, id, Number(call.params.version))
    : undefined
  if (!version) throw notFound('version')
  return { status: 200, body: versionBody(version) }
}

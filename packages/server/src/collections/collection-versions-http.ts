// The handlers of the published versions of a collection: publish the draft, list, show. Never
// changes a version. Contract §4 (Version), security U03.

import type { HasApps } from '../apps/app-directory.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { created } from '../http/replies.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { practiceEventsOf } from '../outbox/vendor-event-store.ts'
import {
  buildChanges,
  type Collection,
  type CollectionContent,
  type CollectionVersion,
  listContentProblems,
  type VersionSummary,
} from './collection.ts'
import type { PUBLISH_BODY, VERSION, VERSIONS } from './collection-schema.ts'
import { findVersion, insertVersion, listVersions, runsPublished } from './collection-store.ts'
import { collectionBody, loadCollection } from './collections-http.ts'

const summaryBody = (version: VersionSummary) => ({
  collectionId: version.collectionId,
  version: version.version,
  notes: version.notes,
  publishedBy: version.publishedBy,
  publishedAt: rfc3339(version.publishedAt),
})

/** `before`: the previous version. */
const versionBody = (version: CollectionVersion, before: CollectionVersion | undefined) => ({
  ...summaryBody(version),
  content: version.content,
  changes: buildChanges(before?.content, version.content),
})

export async function publishVersion(
  service: HasApps & HasConfig & HasDatabase & HasRandomness,
  call: PersonCall<'id', typeof PUBLISH_BODY>,
): Promise<Answer<201, typeof VERSION>> {
  const { notes = '' } = call.body
  const max = service.config.maxVersionsPerCollection
  const version = await change(call, {
    load: () => loadCollection(service, call),
    show: collectionBody,
    async write(stored) {
      if (stored.latestVersion >= max) {
        throw limitReached('collection', 'versions', max, 'CHARTSIDE_MAX_VERSIONS_PER_COLLECTION')
      }
      await requirePublishable(service, stored.draft)
      const { person, now } = call
      const events = await buildPracticeEvents(service, stored, now)
      return insertVersion(service.db, stored, { notes, by: person.user.id, now }, max, events)
    },
  })
  const { collectionId: id, version: number } = version
  const before = await findVersion(service.db, id, number - 1)
  return created(`/api/collections/${id}/versions/${number}`, versionBody(version, before))
}

/** For the webhooks of the vendors whose apps come to the practices that run the latest version, or go. */
async function buildPracticeEvents(
  { db, randomness }: HasDatabase & HasRandomness,
  stored: Collection,
  at: number,
): Promise<Statement[]> {
  const { id, latestVersion, draft } = stored
  const latest = await findVersion(db, id, latestVersion)
  const apps = { before: listAppIds(latest?.content), after: listAppIds(draft) }
  const change = { at, once: `${id} ${latestVersion + 1}` }
  return practiceEventsOf(apps, change, runsPublished(stored), randomness)
}

const listAppIds = (content: CollectionContent | undefined) =>
  (content?.apps ?? []).map(({ appId }) => appId)

/** @throws ApiError invalid_request with a JSON pointer for each problem */
async function requirePublishable(service: HasApps, draft: CollectionContent): Promise<void> {
  const found = await Promise.all(
    draft.apps.map(async ({ appId }) => ((await service.apps.findApp(appId)) ? [appId] : [])),
  )
  const known = new Set(found.flat())
  const problems = listContentProblems(draft, (appId) => known.has(appId))
  if (problems.length === 0) return
  throw new ApiError(
    'invalid_request',
    'The draft cannot be published as it is.',
    problems.slice(0, MAX_PROBLEMS),
  )
}

const MAX_PROBLEMS = 20

export async function listVersionsOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof VERSIONS>> {
  const { id } = await loadCollection(service, call)
  const newest = String(Number.MAX_SAFE_INTEGER)
  const page = parsePage(call.query, { of: 'numbers', start: newest })
  const found = await listVersions(service.db, id, Number(page.cursor), page.limit + 1)
  const numbered = found.map((version) => ({ ...version, id: String(version.version) }))
  return { status: 200, body: buildPage(numbered, page, summaryBody) }
}

export async function showVersion(
  service: HasDatabase,
  call: PersonCall<'id' | 'version'>,
): Promise<Answer<200, typeof VERSION>> {
  const { id } = await loadCollection(service, call)
  const number = /^\d{1,15}$/.test(call.params.version ?? '') ? Number(call.params.version) : 0
  const [version, before] = await Promise.all([
    findVersion(service.db, id, number),
    findVersion(service.db, id, number - 1),
  ])
  if (!version) throw notFound('version')
  return { status: 200, body: versionBody(version, before) }
}

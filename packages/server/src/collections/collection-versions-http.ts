// The handlers of the published versions of a collection: publish the draft, list, show, and give the newest one to
// all accounts that follow it or to some. Never changes what a version holds. Contract §4 (Version), security U03.

import type { HasApps } from '../apps/app-directory.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { created } from '../http/replies.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { listVisibleAccounts } from '../kernel/user.ts'
import {
  type AudienceChoice,
  buildChanges,
  type CollectionContent,
  type CollectionVersion,
  decideAudience,
  listContentProblems,
  planWidening,
  type VersionSummary,
  type Widening,
} from './collection.ts'
import type { AUDIENCE_BODY, PUBLISH_BODY, VERSION, VERSIONS } from './collection-schema.ts'
import {
  findVersion,
  insertVersion,
  isPublished,
  listFollowers,
  listVersions,
} from './collection-store.ts'
import { collectionBody, loadCollection } from './collections-http.ts'
import { buildPracticeEvents, giveVersionTo } from './version-giving.ts'

const summaryBody = (version: VersionSummary, visible: readonly string[] | 'all') => ({
  collectionId: version.collectionId,
  version: version.version,
  notes: version.notes,
  publishedBy: version.publishedBy,
  publishedAt: rfc3339(version.publishedAt),
  audience: version.audience
    ? {
        accounts: version.audience.length,
        accountIds: version.audience.filter((id) => visible === 'all' || visible.includes(id)),
      }
    : null,
  givenAt: rfc3339(version.givenAt),
  widening: version.widening ? wideningBody(version.widening) : null,
})

const wideningBody = ({ at, readyPercent, stopped }: Widening) => ({
  ...{ at: rfc3339(at), readyPercent },
  stopped: stopped
    ? { at: rfc3339(stopped.at), ready: stopped.ready, failed: stopped.failed }
    : null,
})

/** The parameter `before` is the previous version. */
const versionBody = (
  version: CollectionVersion,
  before: CollectionVersion | undefined,
  { person }: Pick<PersonCall, 'person'>,
) => ({
  ...summaryBody(version, listVisibleAccounts(person)),
  content: version.content,
  changes: buildChanges(before?.content, version.content),
})

export async function publishVersion(
  service: HasApps & HasConfig & HasDatabase & HasRandomness,
  call: PersonCall<'id', typeof PUBLISH_BODY>,
): Promise<Answer<201, typeof VERSION>> {
  const { notes = '', audience: choice = 'all', widen } = call.body
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
      const { id, draft, latestVersion } = stored
      const audience = await chooseAudience(service, choice, id)
      const next = { collectionId: id, version: latestVersion + 1, content: draft }
      const events = await buildPracticeEvents(service, next, {
        ...{ at: now, before: NO_ACCOUNT, after: audience },
        ...{ isDone: isPublished(stored), once: `${id} ${latestVersion + 1}` },
      })
      const widening = widen && planWidening(widen, audience, now)
      const publication = { notes, by: person.user.id, now, audience, widening }
      return insertVersion(service.db, stored, publication, max, events)
    },
  })
  const { collectionId: id, version: number } = version
  const before = await findVersion(service.db, id, number - 1)
  return created(`/api/collections/${id}/versions/${number}`, versionBody(version, before, call))
}

const NO_ACCOUNT: readonly string[] = []

const chooseAudience = async (
  { db }: HasDatabase,
  choice: Exclude<AudienceChoice, 'kept'>,
  id: string,
) => decideAudience(choice, id, choice === 'all' ? NO_ACCOUNT : await listFollowers(db, id))

export async function giveVersion(
  service: HasDatabase & HasRandomness & HasSubscriptions,
  call: PersonCall<'id' | 'version', typeof AUDIENCE_BODY>,
): Promise<Answer<200, typeof VERSION>> {
  const { audience: choice, widen, endSessions: endsSessions = false } = call.body
  const { body, ended } = await change(call, {
    load: () => loadVersion(service, call),
    show: ({ version, before }) => versionBody(version, before, call),
    async write({ version, before, latestVersion }) {
      if (version.version !== latestVersion) {
        throw new ApiError('conflict', 'Only the newest version is given out. Publish a new one.')
      }
      const { now } = call
      const isKept = choice === 'kept'
      const audience = isKept
        ? version.audience
        : await chooseAudience(service, choice, version.collectionId)
      const kept = isKept && widen === undefined ? version.widening : undefined
      const widening = widen ? planWidening(widen, audience, now) : kept
      const giving = { audience, widening, now, endsSessions }
      const given = await giveVersionTo(service, version, giving)
      return given && { body: versionBody(given.version, before, call), ended: given.endedSessions }
    },
  })
  await notifySessionsEnded(service, ended, 'app_disabled')
  return { status: 200, body }
}

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
  const visible = listVisibleAccounts(call.person)
  const body = buildPage(numbered, page, (version) => summaryBody(version, visible))
  return { status: 200, body }
}

export async function showVersion(
  service: HasDatabase,
  call: PersonCall<'id' | 'version'>,
): Promise<Answer<200, typeof VERSION>> {
  const { version, before } = await loadVersion(service, call)
  return { status: 200, body: versionBody(version, before, call) }
}

/** Loads a version with the version before it. @throws ApiError 404, 403 */
async function loadVersion(
  service: HasDatabase,
  call: Omit<PersonCall<'id' | 'version'>, 'body'>,
): Promise<{
  readonly version: CollectionVersion
  readonly before: CollectionVersion | undefined
  readonly latestVersion: number
}> {
  const { id, latestVersion } = await loadCollection(service, call)
  const number = /^\d{1,15}$/.test(call.params.version ?? '') ? Number(call.params.version) : 0
  const [version, before] = await Promise.all([
    findVersion(service.db, id, number),
    findVersion(service.db, id, number - 1),
  ])
  if (!version) throw notFound('version')
  return { version, before, latestVersion }
}

// The handlers of the published versions of a collection: publish the draft, list, show, and give the newest one to
// all accounts that follow it or to some. Never changes what a version holds. Contract §4 (Version), security U03.

import { latestBelow } from '../accounts/account-store.ts'
import type { HasApps } from '../apps/app-directory.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { created } from '../http/replies.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { listVisibleAccounts } from '../kernel/user.ts'
import { practiceEventsOf } from '../outbox/vendor-event-store.ts'
import {
  type AudienceChoice,
  buildChanges,
  type CollectionContent,
  type CollectionVersion,
  decideAudience,
  listContentProblems,
  type VersionSummary,
} from './collection.ts'
import type { AUDIENCE_BODY, PUBLISH_BODY, VERSION, VERSIONS } from './collection-schema.ts'
import {
  findVersion,
  insertVersion,
  isFollower,
  isGivenAt,
  isPublished,
  listFollowers,
  listVersions,
  listVersionsBehind,
  updateAudience,
} from './collection-store.ts'
import { collectionBody, loadCollection } from './collections-http.ts'

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
})

/** `before`: the previous version. */
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
  const { notes = '', audience: choice = 'all' } = call.body
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
      const publication = { notes, by: person.user.id, now, audience }
      return insertVersion(service.db, stored, publication, max, events)
    },
  })
  const { collectionId: id, version: number } = version
  const before = await findVersion(service.db, id, number - 1)
  return created(`/api/collections/${id}/versions/${number}`, versionBody(version, before, call))
}

const NO_ACCOUNT: readonly string[] = []

const chooseAudience = async ({ db }: HasDatabase, choice: AudienceChoice, id: string) =>
  decideAudience(choice, id, choice === 'all' ? NO_ACCOUNT : await listFollowers(db, id))

interface AudienceChange {
  readonly at: number
  /** Undefined: all accounts that follow the latest version. */
  readonly before: readonly string[] | undefined
  readonly after: readonly string[] | undefined
  /** Where it is true, the change took effect. */
  readonly isDone: Statement
  /** Names the change. */
  readonly once: string
}

/**
 * For the webhooks of the vendors whose apps come to practices with this version, or go. What a practice runs without
 * it differs where an earlier version was given to some only.
 */
async function buildPracticeEvents(
  { db, randomness }: HasDatabase & HasRandomness,
  {
    collectionId: id,
    version,
    content,
  }: Pick<CollectionVersion, 'collectionId' | 'version' | 'content'>,
  { at, before, after, isDone, once }: AudienceChange,
): Promise<Statement[]> {
  const behind = await listVersionsBehind(db, id, version)
  const isIn = (audience: readonly string[] | undefined) => {
    if (!audience) return ALWAYS
    return audience.length === 0 ? sql`1 = 0` : sql`a.id IN (${list(audience)})`
  }
  return [{ version: 0, content: undefined }, ...behind].flatMap((other) => {
    const [without, those] = [listAppIds(other.content), listAppIds(content)]
    const where = sql`${isDone} AND ${isFollower(id)}
      AND ${latestBelow(id, version)} = ${other.version}`
    const moved = (from: typeof before, to: typeof before) =>
      sql`${where} AND ${isIn(to)} AND NOT ${isIn(from)}`
    const change = { at, once: `${once} ${other.version}` }
    const gained = { before: without, after: those }
    const lost = { before: those, after: without }
    return [
      ...practiceEventsOf(gained, change, moved(before, after), randomness),
      ...practiceEventsOf(lost, change, moved(after, before), randomness),
    ]
  })
}

export async function giveVersion(
  service: HasDatabase & HasRandomness,
  call: PersonCall<'id' | 'version', typeof AUDIENCE_BODY>,
): Promise<Answer<200, typeof VERSION>> {
  const given = await change(call, {
    load: () => loadVersion(service, call),
    show: ({ version, before }) => versionBody(version, before, call),
    async write({ version, before, latestVersion }) {
      const { collectionId: id, version: number } = version
      if (number !== latestVersion) {
        throw new ApiError('conflict', 'Only the newest version is given out. Publish a new one.')
      }
      const audience = await chooseAudience(service, call.body.audience, id)
      const at = nextUpdate({ updatedAt: version.givenAt }, call.now)
      const events = await buildPracticeEvents(service, version, {
        ...{ at, before: version.audience, after: audience },
        ...{ isDone: isGivenAt(id, number, at), once: `${id} ${number} ${at}` },
      })
      const changed = await updateAudience(service.db, version, audience, at, events)
      return changed && versionBody(changed, before, call)
    },
  })
  return { status: 200, body: given }
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

/** With the version before it. @throws ApiError 404, 403 */
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

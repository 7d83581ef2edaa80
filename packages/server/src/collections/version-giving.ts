// Gives a version of a collection to the accounts that follow its latest: what goes with it in the same write, the
// webhook events of the vendors whose apps come or go, and the end of EHR sessions that show it. Two callers do it: a
// person by the route, and the job that widens a rollout. Contract §4 (Version).

import { latestBelow } from '../accounts/account-store.ts'
import type { HasDatabase } from '../db/database.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import { partOf } from '../kernel/partitions.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate } from '../kernel/time.ts'
import { endSessionsStatements, MAX_SIGN_IN_MS } from '../liveness/liveness-store.ts'
import { practiceEventsOf } from '../outbox/vendor-event-store.ts'
import type { CollectionContent, CollectionVersion, Widening } from './collection.ts'
import {
  isFollower,
  isGivenAt,
  listFollowers,
  listVersionsBehind,
  updateAudience,
} from './collection-store.ts'

interface AudienceChange {
  readonly at: number
  /** The audience before; undefined stands for all accounts that follow the latest version. */
  readonly before: readonly string[] | undefined
  readonly after: readonly string[] | undefined
  /** The condition is true when the change took effect. */
  readonly isDone: Statement
  /** The value names the change. */
  readonly once: string
}

/**
 * Builds events for the webhooks of the vendors whose apps come to practices with this version, or go. What a
 * practice runs without it differs where an earlier version was given to some only.
 */
export async function buildPracticeEvents(
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

const listAppIds = (content: CollectionContent | undefined) =>
  (content?.apps ?? []).map(({ appId }) => appId)

interface Giving {
  readonly audience: readonly string[] | undefined
  readonly widening: Widening | undefined
  readonly now: number
  /** These statements are written first, while the version is as it was read. */
  readonly before?: readonly Statement[]
  /** EHR sessions that show it where it is not given end. */
  readonly endsSessions?: boolean
}

/** Returns undefined when another change of its audience was faster. */
export async function giveVersionTo(
  service: HasDatabase & HasRandomness,
  version: CollectionVersion,
  { audience, widening, now, before, endsSessions = false }: Giving,
): Promise<{ version: CollectionVersion; endedSessions: string[] } | undefined> {
  const { collectionId: id, version: number } = version
  const at = nextUpdate({ updatedAt: version.givenAt }, now)
  const isDone = isGivenAt(id, number, at)
  const events = await buildPracticeEvents(service, version, {
    ...{ at, before: version.audience, after: audience },
    ...{ isDone, once: `${id} ${number} ${at}` },
  })
  const followers = endsSessions ? await listFollowers(service.db, id) : []
  const without = followers.filter((account) => audience && !audience.includes(account))
  const ends =
    without.length === 0
      ? []
      : endSessionsStatements(
          { condition: sql`${isSessionOf(version, without, now)} AND ${isDone}` },
          { at: now, reason: 'app_disabled' },
        )
  const given = { audience, widening, at, ends, events, ...(before ? { before } : {}) }
  return updateAudience(service.db, version, given)
}

/** The condition is true when the EHR session `e` of one of these accounts shows the version. */
export const isSessionOf = (
  { collectionId, version }: Pick<CollectionVersion, 'collectionId' | 'version'>,
  accountIds: readonly string[],
  now: number,
): Statement =>
  sql`e.part IN (${list([...new Set(accountIds.map(partOf))])}) AND e.account_id IN (${list(accountIds)})
    AND e.id >= ${idFloor('ses', now - MAX_SIGN_IN_MS)} AND e.collection_id = ${collectionId}
    AND e.collection_version = ${version}`

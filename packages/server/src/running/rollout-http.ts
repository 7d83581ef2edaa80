// The handler of a rollout: how many accounts have the newest version of a collection, and how its launches do beside
// those of the version before. It counts and names no account. Contract §16.

import { findCollection, findVersion, listFollowers } from '../collections/collection-store.ts'
import { isSessionOf } from '../collections/version-giving.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import { listVersionUse } from '../launches/health/version-use-store.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { ROLLOUT } from './running-schema.ts'
import { countOpenSessions } from './running-store.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000

export async function showRollout(
  { config, db }: HasConfig & HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof ROLLOUT>> {
  const { id, latestVersion } = requireAccess(
    call,
    'collection',
    await findCollection(db, call.params.id),
  )
  const versions = [latestVersion, latestVersion - 1].filter((version) => version > 0)
  const [newest, followers] = await Promise.all([
    findVersion(db, id, latestVersion),
    listFollowers(db, id),
  ])
  const uses = await listVersionUse(db, id, versions, followers, call.now - WEEK_MS)
  const audience = newest?.audience && new Set(newest.audience)
  const isGiven = (account: string) => newest !== undefined && (audience?.has(account) ?? true)
  const given = followers.filter(isGiven)
  const without = followers.filter((account) => !isGiven(account))
  const cutoff = livenessCutoff(call.now, config.sessionIdleSeconds)
  const newestHere = { collectionId: id, version: latestVersion }
  return {
    status: 200,
    body: {
      following: followers.length,
      givenTo: given.length,
      openElsewhere:
        without.length === 0
          ? 0
          : await countOpenSessions(db, isSessionOf(newestHere, without, call.now), cutoff),
      versions: versions.map((version) => {
        const { launches = 0, ready = 0, failed = 0 } = uses.get(version) ?? {}
        const decided = ready + failed
        return { version, launches, readyShare: decided === 0 ? null : ready / decided }
      }),
    },
  }
}

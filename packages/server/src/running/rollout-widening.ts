// The job that gives a version of a few accounts to all, or stops where too few of its launches become ready. One node a
// minute looks; the lock of the collection settles what two nodes do. Its account and the platform get an event.
import { PLATFORM } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { acquireLease } from '../cluster/leases.ts'
import type { CollectionVersion, Widening } from '../collections/collection.ts'
import {
  findCollection,
  isWidening,
  listFollowers,
  listWideningVersions,
  stopWidening,
} from '../collections/collection-store.ts'
import { giveVersionTo } from '../collections/version-giving.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { listVersionUse } from '../launches/health/version-use-store.ts'
import { decideWidening, type RolloutUse } from './rollout.ts'

const MINUTE_MS = 60_000
const MAX_VERSIONS = 100

type Parts = HasClock & HasDatabase & HasRandomness

/** Gives how many versions it looked at; undefined when another node looks. */
export async function widenRollouts(service: Parts): Promise<number | undefined> {
  const { db, clock } = service
  const now = clock()
  const lease = { now, leaseExpiresAt: now + MINUTE_MS, maxLeaseMs: MINUTE_MS }
  if (!(await acquireLease(db, 'rollouts', lease))) return undefined
  const versions = await listWideningVersions(db, MAX_VERSIONS)
  for (const version of versions) {
    if (version.widening) await goOn(service, version, version.widening, now)
  }
  return versions.length
}

async function goOn(service: Parts, version: CollectionVersion, widening: Widening, now: number) {
  const { db } = service
  const { ready, failed } = await countUse(service, version)
  const decision = decideWidening(widening, { ready, failed }, now)
  if (decision === 'wait') return
  const counts = { version: version.version, ready, failed, percent: widening.readyPercent }
  const detail = Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, String(n)]))
  const done = decision === 'widen' ? { action: 'widenRollout' } : { action: 'stopRollout' }
  const events = await buildEvents(service, version, { ...done, detail, now })
  if (decision === 'stop') await stopWidening(db, version, { at: now, ready, failed }, events)
  else {
    const all = { audience: undefined, widening: undefined }
    await giveVersionTo(service, version, { ...all, now, before: events })
  }
}

async function countUse(
  { db }: HasDatabase,
  { collectionId, version, audience, givenAt }: CollectionVersion,
): Promise<RolloutUse> {
  const followers = await listFollowers(db, collectionId)
  const given = followers.filter((id) => audience?.includes(id) ?? true)
  const uses = await listVersionUse(db, collectionId, [version], given, givenAt)
  return uses.get(version) ?? { ready: 0, failed: 0 }
}

interface Done {
  readonly action: string
  readonly detail: Readonly<Record<string, string>>
  readonly now: number
}

async function buildEvents(
  { db, randomness }: HasDatabase & HasRandomness,
  version: CollectionVersion,
  { action, detail, now }: Done,
) {
  const { collectionId: target } = version
  const owner = (await findCollection(db, target))?.accountId
  return [...new Set([owner ?? PLATFORM, PLATFORM])].map((accountId) =>
    insertEventStatement(
      {
        ...{ id: newId('evt', now, randomness), at: now, accountId, actor: 'service', action },
        ...({ target, launchId: undefined, ip: 'local', outcome: 'ok', detail } as const),
      },
      isWidening(version),
    ),
  )
}

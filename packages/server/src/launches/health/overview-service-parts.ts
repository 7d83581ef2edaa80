// The parts of the service on the overview of the platform: database, backup, sweep, background jobs, signing keys and
// mail, each with what was seen of it last and when it is due again.

import { findOldestDue } from '../../cluster/leases.ts'
import { listOccurrences } from '../../cluster/occurrence-store.ts'
import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import type { PayloadOf } from '../../http/call.ts'
import type { HasClock } from '../../kernel/randomness.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { decideNext, decideSigner, type ScheduledKey } from '../../keys/key-schedule.ts'
import { listSigningKeys } from '../../keys/key-store.ts'
import type { HEALTH_OVERVIEW } from './overview-schema.ts'

type ServicePart = PayloadOf<typeof HEALTH_OVERVIEW>['service'][number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOW_MS = 500
/** A job that is due begins within its interval on one of the nodes; none has a longer one of these. */
const LATE_MS = 15 * 60_000
/** A key that waits for an operator has a date far ahead. */
const SCHEDULED_MS = 10 * 365 * DAY_MS

const EMPTY = { at: null, nextAt: null, tookMs: null }

export async function loadServiceParts(
  { db, clock, config }: HasClock & HasConfig & HasDatabase,
  now: number,
): Promise<ServicePart[]> {
  const { tookMs, occurrences } = await measureRead(db, clock)
  const [due, keys] = await Promise.all([findOldestDue(db), listSigningKeys(db)])
  const done = (name: 'backup' | 'sweep', maxAgeMs: number): ServicePart => {
    const at = occurrences.get(name)
    const state = at === undefined ? 'unknown' : now - at <= maxAgeMs ? 'good' : 'bad'
    return { ...EMPTY, name, state, at: at === undefined ? null : rfc3339(at) }
  }
  return [
    { ...EMPTY, name: 'database', state: tookMs < SLOW_MS ? 'good' : 'bad', tookMs },
    done('backup', 2 * DAY_MS),
    done('sweep', HOUR_MS),
    {
      ...{ ...EMPTY, name: 'jobs' },
      state: due === undefined ? 'unknown' : now - due <= LATE_MS ? 'good' : 'bad',
      nextAt: due === undefined ? null : rfc3339(due),
    },
    { name: 'keys', ...describeKeys(keys, now) },
    { ...EMPTY, name: 'mail', state: config.smtpUrl ? 'good' : 'unknown' },
  ]
}

/** Describes the keys. An algorithm in use needs a signing key and a published successor: verifiers cache. */
export function describeKeys(
  keys: readonly ScheduledKey[],
  now: number,
): Pick<ServicePart, 'state' | 'at' | 'nextAt' | 'tookMs'> {
  const algorithms = [...new Set(keys.map(({ alg }) => alg))]
  const signing = algorithms.map((alg) => decideSigner(keys, alg, now)?.signsFrom)
  const next = algorithms.map((alg) => decideNext(keys, alg, now)?.signsFrom)
  const isWhole = [...signing, ...next].every((at) => at !== undefined)
  const times = (found: readonly (number | undefined)[]) => found.filter((at) => at !== undefined)
  const nextAt = Math.min(...times(next))
  return {
    state: algorithms.length === 0 ? 'unknown' : isWhole ? 'good' : 'bad',
    at: times(signing).length === 0 ? null : rfc3339(Math.max(...times(signing))),
    nextAt: nextAt < now + SCHEDULED_MS ? rfc3339(nextAt) : null,
    tookMs: null,
  }
}

async function measureRead(db: Database, clock: () => number) {
  const begun = clock()
  const occurrences = await listOccurrences(db)
  return { tookMs: Math.max(clock() - begun, 0), occurrences }
}

// Counts failures and refuses callers over a limit. The counters are rows that all nodes share; a node
// caches only which keys are over their limit, so that a flood costs a look-up in a map. A failure
// that cannot be counted is answered with 503.
// docs/inside/decisions/0018, security T16.

import type { Database } from '../../db/database.ts'
import type { Statement } from '../../db/sql.ts'
import { type Attempt, keyOf, LIMITS, type LimitKind, windowMsOf } from './rate-limit-rules.ts'
import { type Count, countOf, raiseCountStatement } from './rate-limit-store.ts'
import { RequestRefused } from './request-refused.ts'

export interface RateLimits {
  /**
   * Counts a failure, once under each kind, and refuses a caller over a limit.
   * @throws RequestRefused, DatabaseUnavailable
   */
  count(attempt: Attempt, now: number, ...kinds: readonly LimitKind[]): Promise<void>
  /** The refusal of a caller that this node knows to be over a limit, without a statement. */
  findRefusal(
    attempt: Attempt,
    now: number,
    ...kinds: readonly LimitKind[]
  ): RequestRefused | undefined
  /** Runs statements that raise counts of these kinds. @throws RequestRefused, DatabaseUnavailable */
  raise(statements: readonly Statement[], now: number): Promise<readonly Count[]>
}

export interface HasRateLimits {
  readonly limits: RateLimits
}

/** The cache is cleared beyond this many keys; the counters in the database still hold. */
const MAX_CACHED = 10_000

export function rateLimits(db: Database): RateLimits {
  /** Keys over their limit, and until when. */
  const over = new Map<string, number>()

  function findRefusal(
    attempt: Attempt,
    now: number,
    ...kinds: readonly LimitKind[]
  ): RequestRefused | undefined {
    if (over.size === 0) return undefined
    for (const kind of kinds) {
      const endsAt = over.get(keyOf(kind, attempt)) ?? 0
      // An end beyond a whole window was cached before the clock was set back.
      if (endsAt > now && endsAt <= now + windowMsOf(kind)) return refusal(kind, endsAt - now)
    }
    return undefined
  }

  async function raise(statements: readonly Statement[], now: number): Promise<readonly Count[]> {
    const counts = (await db.write(...statements)).flatMap((rows) => rows.map(countOf))
    for (const { key, count, windowEndsAt } of counts) {
      const kind = key.split(':')[0] as LimitKind
      if (count <= LIMITS[kind].most) continue
      if (over.size >= MAX_CACHED) over.clear()
      over.set(key, windowEndsAt)
      throw refusal(kind, windowEndsAt - now)
    }
    return counts
  }

  return {
    findRefusal,
    raise,
    async count(attempt, now, ...kinds) {
      const known = findRefusal(attempt, now, ...kinds)
      if (known) throw known
      const raising = kinds.map((kind) =>
        raiseCountStatement(keyOf(kind, attempt), now, windowMsOf(kind)),
      )
      await raise(raising, now)
    },
  }
}

const refusal = (kind: LimitKind, waitMs: number) =>
  RequestRefused.forRate(LIMITS[kind].message, waitMs)

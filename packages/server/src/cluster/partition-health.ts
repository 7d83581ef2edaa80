// How many partitions of a database on several machines cannot be reached now: their accounts wait for a machine to
// come back, and all others go on. Asks at most every few seconds for all callers. A database on one machine has none.
import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/randomness.ts'
import { countPartitions, type PartitionCount, spansMachines } from './partition-store.ts'
import { within } from './within.ts'

export interface PartitionHealth {
  /** The last known count after `maxWaitMs`, or when the database cannot tell. */
  count(maxWaitMs: number): Promise<PartitionCount>
}

export interface HasPartitionHealth {
  readonly partitions: PartitionHealth
}

const ASK_EVERY_MS = 5000
const NONE: PartitionCount = { all: 0, unavailable: 0 }

/** Watches the partitions. With `isShared`, the database may be on other machines. */
export function watchPartitions(db: Database, isShared: boolean, clock: Clock): PartitionHealth {
  let latest = NONE
  let askedAt = Number.NEGATIVE_INFINITY
  let spans: boolean | undefined
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    spans ??= await spansMachines(db)
    if (spans) latest = await countPartitions(db)
  }

  return {
    async count(maxWaitMs) {
      const isDue = clock() - askedAt >= ASK_EVERY_MS && spans !== false
      if (isShared && isDue && !asking) {
        askedAt = clock()
        asking = ask()
          .catch(() => {})
          .finally(() => {
            asking = undefined
          })
      }
      if (asking) await within(maxWaitMs, asking)
      return latest
    },
  }
}

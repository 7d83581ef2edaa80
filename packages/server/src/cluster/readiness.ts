// Probes whether the database accepts writes: one statement that changes nothing, at most once a second
// for all callers. A read-only server refuses it. A full disk accepts it, so after a failed write the
// probe changes a row until one probe succeeds; after one that failed for want of room it also needs new
// pages, because a row may fit into an old one. Owns the latest result; knows no HTTP.

import { type Database, type DatabaseFault, DatabaseUnavailable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'
import { within } from './within.ts'

export interface Readiness {
  /** The fault that prevents writes, or undefined; the last known one after `maxWaitMs`. */
  findFault(maxWaitMs: number): Promise<DatabaseFault | undefined>
}

export interface HasReadiness {
  readonly readiness: Readiness
}

const PROBE_EVERY_MS = 1000
/** The time is longer than every wait of the driver for a connection. */
const UNRESPONSIVE_AFTER_MS = 4000

const PROBE_WITHOUT_CHANGE = sql`UPDATE changes SET version = version WHERE topic = ''`
const PROBE_WITH_CHANGE = sql`INSERT INTO changes (topic, version) VALUES ('trial', 1)
    ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1`

/** Wraps the database: `readiness` learns from every write through `db`. */
export function watchReadiness(
  watched: Database,
  clock: Clock,
  onChange: (fault: DatabaseFault | undefined) => void,
): { readonly db: Database; readonly readiness: Readiness } {
  let hasFailed = false
  let isRoomDoubted = false
  let latest: DatabaseFault | undefined
  let probedAt = Number.NEGATIVE_INFINITY
  let probe: Promise<void> | undefined

  async function runProbe(): Promise<void> {
    const probed = isRoomDoubted ? probeFreeSpace(watched) : watched.write(probeOf(hasFailed))
    const found = await within(UNRESPONSIVE_AFTER_MS, faultOf(probed))
    if (found === undefined) {
      hasFailed = false
      isRoomDoubted = false
    }
    // `busy` changes nothing: taking busy nodes out of the balancer makes the others busier.
    if (found !== 'busy') setLatest(found === 'late' ? 'unresponsive' : found)
  }

  function learnFrom({ fault }: DatabaseUnavailable): void {
    hasFailed = true
    if (!DOUBTS_ROOM.has(fault) || isRoomDoubted) return
    isRoomDoubted = true
    // The next question is answered by a new probe.
    probedAt = Number.NEGATIVE_INFINITY
  }

  function setLatest(found: DatabaseFault | undefined): void {
    if (found === latest) return
    latest = found
    onChange(found)
  }

  return {
    db: {
      ...watched,
      async write(...statements) {
        try {
          return await watched.write(...statements)
        } catch (error) {
          if (error instanceof DatabaseUnavailable) learnFrom(error)
          throw error
        }
      },
    },
    readiness: {
      async findFault(maxWaitMs) {
        const now = clock()
        const isDue = now - probedAt >= PROBE_EVERY_MS || now < probedAt
        if (isDue && !probe) {
          probedAt = now
          probe = runProbe().finally(() => {
            probe = undefined
          })
        }
        if (probe) await within(maxWaitMs, probe)
        return latest
      },
    },
  }
}

const probeOf = (hasFailed: boolean) => (hasFailed ? PROBE_WITH_CHANGE : PROBE_WITHOUT_CHANGE)

/** PostgreSQL reports a full disk, or fails in other ways when it cannot write its log. */
const DOUBTS_ROOM: ReadonlySet<DatabaseFault> = new Set(['full', 'failing'])

async function probeFreeSpace(db: Database): Promise<void> {
  try {
    await db.probeFreeSpace()
  } catch (error) {
    // The role of the service may not be allowed to make a temporary table.
    if (error instanceof DatabaseUnavailable) throw error
  }
  await db.write(PROBE_WITH_CHANGE)
}

const faultOf = (write: Promise<unknown>): Promise<DatabaseFault | undefined> =>
  write.then(
    () => undefined,
    (error: unknown) => (error instanceof DatabaseUnavailable ? error.fault : 'failing'),
  )

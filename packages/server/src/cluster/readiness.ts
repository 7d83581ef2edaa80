// Whether the database takes writes now, at a price that a probe every second may cost: one
// statement that changes nothing, at most once a second whoever asks. A read-only server refuses
// it; a full disk does not, so after a failed write the trial is a real one until one succeeds.
// Owns the latest finding; knows no HTTP.

import { type Database, type DatabaseFault, DatabaseUnavailable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'

export interface Readiness {
  /** What is in the way of writes, or undefined; what was last known when it takes `patienceMs`. */
  findFault(patienceMs: number): Promise<DatabaseFault | undefined>
}

const PROBE_EVERY_MS = 1000
/** Above every wait of the driver for a connection: a database that says nothing is silent. */
const UNRESPONSIVE_AFTER_MS = 4000

const PROBE_WITHOUT_CHANGE = sql`UPDATE changes SET version = version WHERE topic = ''`
const PROBE_WITH_CHANGE = sql`INSERT INTO changes (topic, version) VALUES ('trial', 1)
    ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1`

/** The same database, watched: `readiness` learns from every write that goes through `db`. */
export function watchReadiness(
  watched: Database,
  clock: Clock,
  onChange: (trouble: DatabaseFault | undefined) => void,
): { readonly db: Database; readonly readiness: Readiness } {
  let hasFailed = false
  let latest: DatabaseFault | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let trial: Promise<void> | undefined

  async function tryWrite(): Promise<void> {
    const found = await within(UNRESPONSIVE_AFTER_MS, faultOf(watched.write(probeOf(hasFailed))))
    if (found === undefined) hasFailed = false
    // A busy database is as it was: a balancer that takes busy nodes away makes the others busier.
    if (found !== 'busy') note(found === 'late' ? 'silent' : found)
  }

  function note(found: DatabaseFault | undefined): void {
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
          if (error instanceof DatabaseUnavailable) hasFailed = true
          throw error
        }
      },
    },
    readiness: {
      async findFault(patienceMs) {
        const now = clock()
        const isDue = now - triedAt >= PROBE_EVERY_MS || now < triedAt
        if (isDue && !trial) {
          triedAt = now
          trial = tryWrite().finally(() => {
            trial = undefined
          })
        }
        if (trial) await within(patienceMs, trial)
        return latest
      },
    },
  }
}

const probeOf = (hasFailed: boolean) => (hasFailed ? PROBE_WITH_CHANGE : PROBE_WITHOUT_CHANGE)

const faultOf = (write: Promise<unknown>): Promise<DatabaseFault | undefined> =>
  write.then(
    () => undefined,
    (error: unknown) => (error instanceof DatabaseUnavailable ? error.trouble : 'failing'),
  )

function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, 'late')
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

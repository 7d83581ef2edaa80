// Owns the counters by which nodes learn that something which they keep in memory was changed, on
// whatever node: the table changes, one row a topic. Every write of such a record raises its
// counter in the same transaction; every node reads all of them in one statement, at most once a
// second. docs/decisions/0011.

import type { Database } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'

export type Topic = 'apps' | 'keys'

export interface CacheVersions {
  /**
   * Makes sure that what this node keeps is at most a second old: reads the counters when the last
   * look is older, and has the copies of what changed made anew. @throws DatabaseUnavailable
   */
  check(): Promise<void>
  /** `renew` runs before the `check` that saw the change resolves. One listener a topic. */
  listen(topic: Topic, renew: () => void | Promise<void>): void
}

const CHECK_EVERY_MS = 1000

export function watchCacheVersions(db: Database, clock: Clock): CacheVersions {
  const listeners = new Map<Topic, () => void | Promise<void>>()
  const seen = new Map<Topic, number>()
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  async function look(now: number): Promise<void> {
    const versions = await readVersions(db)
    for (const [topic, renew] of listeners) {
      const version = versions.get(topic) ?? 0
      if (seen.get(topic) === version) continue
      await renew()
      seen.set(topic, version)
    }
    checkedAt = now
  }

  return {
    listen(topic, renew) {
      listeners.set(topic, renew)
    },
    check() {
      const now = clock()
      // A clock that was set back must not keep old copies alive.
      if (now - checkedAt < CHECK_EVERY_MS && now >= checkedAt) return SEEN
      checking ??= look(now).finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

const SEEN = Promise.resolve()

async function readVersions(db: Database): Promise<Map<string, number>> {
  const rows = await db.read(sql`SELECT topic, version FROM changes`)
  return new Map(rows.map((row) => [text(row, 'topic'), integer(row, 'version')]))
}

/** Belongs to every write of a record of this topic. */
export const bumpVersionStatement = (topic: Topic): Statement =>
  sql`INSERT INTO changes (topic, version) VALUES (${topic}, 1)
      ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1`

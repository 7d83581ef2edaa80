// Owns the versions of the in-memory caches: the table changes, one row per topic. Every write of a
// cached record bumps the version of its topic in the same transaction. Every node reads all versions
// in one statement, at most once a second, and reloads what changed. docs/decisions/0011.

import type { Database } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'

export type Topic = 'apps' | 'keys'

export interface CacheVersions {
  /**
   * Makes sure that the caches of this node are at most a second old: reads the versions when the last
   * check is older, and reloads what changed. @throws DatabaseUnavailable
   */
  check(): Promise<void>
  /** `reload` runs before the `check` that saw the change resolves. One listener per topic. */
  listen(topic: Topic, reload: () => void | Promise<void>): void
}

const CHECK_EVERY_MS = 1000

export function watchCacheVersions(db: Database, clock: Clock): CacheVersions {
  const listeners = new Map<Topic, () => void | Promise<void>>()
  const seen = new Map<Topic, number>()
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  async function refresh(now: number): Promise<void> {
    const versions = await readVersions(db)
    for (const [topic, reload] of listeners) {
      const version = versions.get(topic) ?? 0
      if (seen.get(topic) === version) continue
      await reload()
      seen.set(topic, version)
    }
    checkedAt = now
  }

  return {
    listen(topic, reload) {
      listeners.set(topic, reload)
    },
    check() {
      const now = clock()
      // A clock that was set back must not extend the life of old copies.
      if (now - checkedAt < CHECK_EVERY_MS && now >= checkedAt) return CURRENT
      checking ??= refresh(now).finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

const CURRENT = Promise.resolve()

async function readVersions(db: Database): Promise<Map<string, number>> {
  const rows = await db.read(sql`SELECT topic, version FROM changes`)
  return new Map(rows.map((row) => [text(row, 'topic'), integer(row, 'version')]))
}

/** Part of every write of a record of this topic. */
export const bumpVersionStatement = (topic: Topic): Statement =>
  sql`INSERT INTO changes (topic, version) VALUES (${topic}, 1)
      ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1`

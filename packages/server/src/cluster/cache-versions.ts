// Owns the versions of the in-memory caches: the table changes, one row per topic. Every write of a
// cached record bumps the version of its topic in the same transaction. Every node reads all versions
// in one statement, at most once a second, and reloads what changed. The same statement reads the clock
// of the database. docs/inside/decisions/0011.

import type { Database } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { DatabaseClock } from './database-clock.ts'

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

export interface HasCacheVersions {
  readonly cacheVersions: CacheVersions
}

const CHECK_EVERY_MS = 1000

export function watchCacheVersions(
  db: Database,
  clock: DatabaseClock,
  databaseTime: () => Statement = () => db.timeExpression,
): CacheVersions {
  const { monotonic } = clock
  const listeners = new Map<Topic, () => void | Promise<void>>()
  const seen = new Map<Topic, number>()
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  async function refresh(now: number): Promise<void> {
    const sentAt = monotonic()
    const { versions, time } = await readVersions(db, databaseTime())
    clock.take({ databaseTime: time, sentAt, receivedAt: monotonic() })
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
      const now = monotonic()
      const isRecent = now - checkedAt < CHECK_EVERY_MS && now >= checkedAt
      // A machine that was suspended has stood still for the monotonic clock.
      if (isRecent && !clock.hasJumped()) return CURRENT
      checking ??= refresh(now).finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}

const CURRENT = Promise.resolve()

/** Reads one row at least, whose topic is null when nothing has changed yet. */
async function readVersions(
  db: Database,
  databaseTime: Statement,
): Promise<{ readonly versions: Map<string, number>; readonly time: number }> {
  const rows = await db.read(
    sql`SELECT clock.now AS database_time, changes.topic, changes.version
      FROM (SELECT ${databaseTime} AS now) AS clock LEFT JOIN changes ON 1 = 1`,
  )
  const versions = new Map<string, number>()
  for (const row of rows) {
    if (row.topic !== null) versions.set(text(row, 'topic'), integer(row, 'version'))
  }
  return { versions, time: rows[0] ? integer(rows[0], 'database_time') : Number.NaN }
}

/** The statement is part of every write of a record of this topic. */
export const bumpVersionStatement = (topic: Topic): Statement =>
  sql`INSERT INTO changes (topic, version) VALUES (${topic}, 1)
      ON CONFLICT (topic) DO UPDATE SET version = changes.version + 1`

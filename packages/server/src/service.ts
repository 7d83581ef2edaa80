// What a request handler may reach: the wired parts of one running node. Made in app.ts and passed
// as the first argument everywhere; there is no other way to get at a clock, a key or the database.
import type { FastifyBaseLogger } from 'fastify'
import type { AppDirectory } from './apps/app-directory.ts'
import type { CallerFinder } from './callers/caller-finder.ts'
import type { RateLimits } from './callers/rate-limits.ts'
import type { RegionGate } from './callers/region-gate.ts'
import type { Config } from './config.ts'
import type { Changes } from './db/changes.ts'
import type { Database } from './db/database.ts'
import type { Readiness } from './db/readiness.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { Clock, Randomness } from './randomness.ts'
import type { SessionPost } from './sessions/session-post.ts'
import type { SessionWatchers } from './sessions/session-watchers.ts'
import type { PasswordHasher } from './users/password.ts'

export interface Service {
  readonly config: Config
  readonly db: Database
  readonly changes: Changes
  readonly readiness: Readiness
  readonly clock: Clock
  readonly randomness: Randomness
  readonly keys: KeyRing
  readonly apps: AppDirectory
  readonly findCaller: CallerFinder
  readonly regions: RegionGate
  readonly limits: RateLimits
  readonly passwords: PasswordHasher
  readonly watchers: SessionWatchers
  /** Between the nodes on one database; an embedded one has a single node. */
  readonly post: SessionPost | undefined
  readonly log: FastifyBaseLogger
}

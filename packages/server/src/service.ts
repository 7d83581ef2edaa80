// The wired parts of one running node. app.ts builds them; handlers get them as the first argument and
// name the parts that they use. There is no other access to a clock, a key or the database.
import type { FastifyBaseLogger } from 'fastify'
import type { AppDirectory } from './apps/app-directory.ts'
import type { CacheVersions } from './cluster/cache-versions.ts'
import type { DatabaseClock } from './cluster/database-clock.ts'
import type { Drain } from './cluster/drain.ts'
import type { Readiness } from './cluster/readiness.ts'
import type { SessionBroadcast } from './cluster/session-broadcast.ts'
import type { SessionSubscriptions } from './cluster/session-subscriptions.ts'
import type { Config } from './config/config.ts'
import type { PasswordHasher } from './credentials/password.ts'
import type { Database } from './db/database.ts'
import type { CallerFinder } from './http/admission/client-address-finder.ts'
import type { MinuteCounter } from './http/admission/minute-counter.ts'
import type { RateLimits } from './http/admission/rate-limits.ts'
import type { RegionGate } from './http/admission/region-gate.ts'
import type { Clock, Randomness } from './kernel/randomness.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { AnswerTimes } from './launches/answer-times.ts'
import type { OpenStreams } from './launches/open-streams.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { PageVisitor } from './preflight/page-visitor.ts'
import type { WatchedSessions } from './sessions/watched-sessions.ts'
import type { StreamReaders } from './sign-in/stream-readers.ts'
import type { Instance, Tracing } from './tracing/tracing.ts'

export interface Service {
  readonly config: Config
  readonly db: Database
  readonly cacheVersions: CacheVersions
  readonly readiness: Readiness
  readonly drain: Drain
  /** The time of the database, which nodes agree on; the machine's clock may be wrong. */
  readonly clock: Clock
  readonly time: DatabaseClock
  readonly randomness: Randomness
  readonly keys: KeyRing
  readonly answers: AnswerTimes
  readonly apps: AppDirectory
  readonly findCaller: CallerFinder
  readonly regions: RegionGate
  readonly limits: RateLimits
  /** The log lines of refused requests. */
  readonly refusals: MinuteCounter
  readonly passwords: PasswordHasher
  readonly subscriptions: SessionSubscriptions
  /** The event streams that this node holds. */
  readonly streams: OpenStreams
  readonly readers: StreamReaders
  /** The sessions of those streams. */
  readonly watchedSessions: WatchedSessions
  /** Present when several nodes can share the database; an embedded one has a single node. */
  readonly broadcast: SessionBroadcast | undefined
  /** What visits the pages of apps. */
  readonly pageVisitor: PageVisitor
  readonly metrics: Metrics
  /** Present when a collector of traces is configured. */
  readonly tracing: Tracing | undefined
  /** What the log and the collector call this node. */
  readonly instance: Instance
  readonly log: FastifyBaseLogger
}

// The wired parts of one running node: app.ts builds them, and routes.ts checks that they have what each
// handler names. Every part declares its own interface in its room, and no room imports this file.
import type { HasApps } from './apps/app-directory.ts'
import type { HasCacheVersions } from './cluster/cache-versions.ts'
import type { HasDatabaseClock } from './cluster/database-clock.ts'
import type { HasDrain } from './cluster/drain.ts'
import type { HasPartitionHealth } from './cluster/partition-health.ts'
import type { HasReadiness } from './cluster/readiness.ts'
import type { HasBroadcast } from './cluster/session-broadcast.ts'
import type { HasSubscriptions } from './cluster/session-subscriptions.ts'
import type { HasConfig } from './config/config.ts'
import type { HasPasswords } from './credentials/password.ts'
import type { HasDatabase } from './db/database.ts'
import type { HasTxtLookup } from './domains/txt-lookup.ts'
import type { HasCallerFinder } from './http/admission/client-address-finder.ts'
import type { HasRefusalCounter } from './http/admission/minute-counter.ts'
import type { HasRateLimits } from './http/admission/rate-limits.ts'
import type { HasDirectoryGate, HasRegionGate } from './http/admission/region-gate.ts'
import type { HasProviderFetch } from './identity-providers/provider-fetch.ts'
import type { HasLog } from './kernel/log.ts'
import type { HasClock, HasRandomness } from './kernel/randomness.ts'
import type { HasKeys } from './keys/key-ring.ts'
import type { HasResponseTimes } from './launches/response-times.ts'
import type { HasMetrics } from './metrics/metrics.ts'
import type { HasNoticeSender } from './preflight/notice-sender.ts'
import type { HasPageVisitor } from './preflight/page-visitor.ts'
import type { HasStreamSubscribers, HasWatchedSessions } from './streams/batched-lookup.ts'
import type { HasOpenStreams } from './streams/open-streams.ts'
import type { HasInstance, HasTracing } from './tracing/tracing.ts'

export interface Service
  extends HasApps,
    HasBroadcast,
    HasCacheVersions,
    HasCallerFinder,
    HasClock,
    HasConfig,
    HasDatabase,
    HasDatabaseClock,
    HasDirectoryGate,
    HasDrain,
    HasInstance,
    HasKeys,
    HasLog,
    HasNoticeSender,
    HasMetrics,
    HasOpenStreams,
    HasPageVisitor,
    HasPartitionHealth,
    HasPasswords,
    HasProviderFetch,
    HasRandomness,
    HasRateLimits,
    HasReadiness,
    HasRefusalCounter,
    HasRegionGate,
    HasResponseTimes,
    HasStreamSubscribers,
    HasSubscriptions,
    HasTracing,
    HasTxtLookup,
    HasWatchedSessions {}

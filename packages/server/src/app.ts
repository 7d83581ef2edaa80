// The only place where parts are wired: opens the database, migrates it, loads the keys, creates the
// first administrator and, in development, the sample data, and puts the routes on a server. Takes
// clock, randomness and log as arguments, so that tests run the same wiring.

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { appDirectory } from './apps/app-directory.ts'
import { extendChains } from './audit/audit-chain.ts'
import { type CacheVersions, watchCacheVersions } from './cluster/cache-versions.ts'
import {
  type DatabaseClock,
  databaseClock,
  type HasDatabaseClock,
} from './cluster/database-clock.ts'
import { readClock } from './cluster/database-time.ts'
import { drain } from './cluster/drain.ts'
import { requireSameInstallation } from './cluster/installation.ts'
import { findInstallation, insertOrFindInstallation } from './cluster/installation-store.ts'
import { watchPartitions } from './cluster/partition-health.ts'
import { type HasReadiness, type Readiness, watchReadiness } from './cluster/readiness.ts'
import { type SessionBroadcast, sessionBroadcast } from './cluster/session-broadcast.ts'
import { sessionSubscriptions } from './cluster/session-subscriptions.ts'
import type { Config } from './config/config.ts'
import { readVersion } from './config/version.ts'
import { type PasswordCost, passwordHasher } from './credentials/password.ts'
import type { Database, HasDatabase } from './db/database.ts'
import { migrate } from './db/migrations/migrate.ts'
import { isShared, openDatabase } from './db/open.ts'
import type { Statement } from './db/sql.ts'
import { txtLookup } from './domains/txt-lookup.ts'
import { networkMatcher } from './http/admission/client-address.ts'
import { callerFinder } from './http/admission/client-address-finder.ts'
import { minuteCounter } from './http/admission/minute-counter.ts'
import { rateLimits } from './http/admission/rate-limits.ts'
import { regionDatabase } from './http/admission/region-database.ts'
import {
  type HasDirectoryGate,
  type HasRegionGate,
  regionGate,
} from './http/admission/region-gate.ts'
import { type CertificateFiles, openCertificate } from './http/tls/certificate-files.ts'
import { providerFetch } from './identity-providers/provider-fetch.ts'
import { type JobRunner, startJobRunner } from './jobs/job-runner.ts'
import { backgroundJobs } from './jobs/jobs.ts'
import type { HasLog } from './kernel/log.ts'
import type { Clock, HasClock, HasRandomness, Randomness } from './kernel/randomness.ts'
import { type KeyRing, loadKeyRing } from './keys/key-ring.ts'
import { ensureFirstKeys } from './keys/key-rotation.ts'
import { keyTimesOf } from './keys/key-schedule.ts'
import { masterKeysOf } from './keys/master-key.ts'
import { responseTimes } from './launches/response-times.ts'
import { type HasMetrics, noMetrics } from './metrics/metrics.ts'
import {
  type ClosableListener,
  listenForScrapes,
  loadMetrics,
  watchService,
} from './metrics/node-metrics.ts'
import type { PrometheusMetrics } from './metrics/prometheus.ts'
import { resolveHost } from './preflight/host-resolver.ts'
import { noticeSender } from './preflight/notice-sender.ts'
import type { Network } from './preflight/page-visit.ts'
import { pageVisitor } from './preflight/page-visitor.ts'
import { ROUTES } from './routes.ts'
import { seedFirstStart } from './seed/seed.ts'
import type { Service } from './service.ts'
import { streamSubscribers, watchedSessions } from './streams/batched-lookup.ts'
import { openStreams } from './streams/open-streams.ts'
import { countConnectionDescriptors, trackConnections } from './surfaces/connection/connections.ts'
import { stopListening } from './surfaces/connection/listener.ts'
import { watchCertificate } from './surfaces/connection/tls-listener.ts'
import { buildServer } from './surfaces/server.ts'
import { loadTracing } from './tracing/load-tracing.ts'
import type { HasTracing } from './tracing/tracing.ts'

export interface Dependencies {
  /** The clock of this machine; the service goes by the database's. */
  readonly clock: Clock
  readonly monotonic: Clock
  readonly uptime: Clock
  /** The clock of the database in place of the engine's; for tests. */
  readonly databaseTime?: () => Statement
  readonly randomness: Randomness
  readonly log: FastifyBaseLogger
  /** The default is PASSWORD_COST. */
  readonly passwordCost?: PasswordCost
}

export interface RunningApp {
  readonly service: Service
  readonly server: FastifyInstance
  /** Starts the background jobs; stories do without and call the jobs that they need. */
  startJobs(): void
  /**
   * Makes the node not ready and serves as before for `ms`, in whose second half the event streams move to
   * other nodes. Ends at once with the signal.
   */
  drain(ms: number, signal: AbortSignal): Promise<void>
  /** Serves what the files of the certificate hold now, if it is good. */
  refreshCertificate(): Promise<void>
  /** Opens the port for metrics, if one is configured. */
  listenForScrapes(): Promise<void>
  close(): Promise<void>
}

/** A pre-flight answers a host that it may not visit at a multiple of this time. */
const REFUSAL_GRID_MS = 1000

/** @throws DatabaseUnavailable, OtherInstallation, or an Error that names the required master key. */
export async function startApp(config: Config, dependencies: Dependencies): Promise<RunningApp> {
  const { db, readiness } = await openWatchedDatabase(config, dependencies)
  try {
    const time = await openClock(config, db, dependencies)
    const installation = { environment: config.environment, issuer: config.issuerUrl }
    // Before the migrations, which must not touch the database of another installation either.
    requireSameInstallation(await findInstallation(db), installation)
    // A start that fails for its certificate has changed nothing.
    const certificate = config.tlsCertFile
      ? await openCertificate(config, time.now, dependencies.log)
      : undefined
    await migrateDatabase(db, time.now, dependencies)
    const recorded = await insertOrFindInstallation(db, installation, time.now())
    requireSameInstallation(recorded, installation)
    const metrics = await loadMetrics(config)
    const tracing = await loadTracing(config, INSTANCE, dependencies)
    const timed = metrics?.timed(db) ?? db
    const traced = tracing?.traced(timed) ?? timed
    const parts = { db: traced, readiness, time, metrics: metrics ?? noMetrics, tracing }
    const service = await buildService(config, dependencies, parts)
    await seedFirstStart(service)
    return runningApp(service, metrics, certificate)
  } catch (error) {
    await db.close()
    throw error
  }
}

async function openWatchedDatabase(
  { databaseUrl, databaseConnections }: Config,
  { monotonic, log }: Dependencies,
): Promise<{ readonly db: Database; readonly readiness: Readiness }> {
  const opened = await openDatabase(databaseUrl, {
    poolSize: databaseConnections,
    onConnectionLost: (reason) => log.warn({ reason }, 'database connection lost'),
  })
  return watchReadiness(opened, monotonic, (fault) =>
    fault ? log.error({ fault }, 'not ready: no writes') : log.info('ready again'),
  )
}

/** @throws DatabaseUnavailable */
async function openClock(
  { databaseUrl, maxClockOffsetMs }: Config,
  db: Database,
  { clock, monotonic, uptime, databaseTime, log }: Dependencies,
): Promise<DatabaseClock> {
  const first = await readClock(db, databaseTime?.() ?? db.timeExpression, monotonic)
  const limits = { maxOffsetMs: maxClockOffsetMs, isShared: isShared(databaseUrl) }
  const time = databaseClock({ wall: clock, monotonic, uptime }, limits, first, (fault) =>
    fault
      ? log.error({ fault: `clock ${fault.kind}`, offsetMs: fault.offsetMs }, 'not ready: clock')
      : log.info('the clock is right again'),
  )
  time.take(first)
  return time
}

async function migrateDatabase(db: Database, clock: Clock, { log }: Dependencies): Promise<void> {
  const migrated = await migrate(db, clock)
  for (const { name } of migrated) log.info({ migration: name }, 'database migrated')
}

/** Several processes of one machine differ by their ids. */
const INSTANCE = { name: `${hostname()}:${process.pid}`, version: readVersion() } as const

type Opened = HasDatabase & HasDatabaseClock & HasMetrics & HasReadiness & HasTracing

async function buildService(
  config: Config,
  { monotonic, randomness, log, databaseTime, passwordCost }: Dependencies,
  { db, readiness, time, metrics, tracing }: Opened,
): Promise<Service> {
  const clock = time.now
  const cacheVersions = watchCacheVersions(db, time, databaseTime)
  const parts = { db, clock, randomness, log }
  const broadcast = openBroadcast(config, parts)
  return {
    config,
    db,
    readiness,
    partitions: watchPartitions(db, isShared(config.databaseUrl), monotonic),
    drain: drain(),
    time,
    clock,
    randomness,
    log,
    metrics,
    tracing,
    instance: INSTANCE,
    cacheVersions,
    keys: await loadKeys(config, cacheVersions, parts),
    responseTimes: responseTimes(),
    apps: appDirectory(db, cacheVersions),
    findCaller: callerFinder(config.trustedProxies, log),
    ...(await openRegionGates(config, log)),
    limits: rateLimits(db),
    refusals: minuteCounter(),
    passwords: passwordHasher(randomness, passwordCost),
    subscriptions: sessionSubscriptions(broadcast),
    streams: openStreams(),
    streamSubscribers: streamSubscribers(db, clock, config),
    watchedSessions: watchedSessions(db, clock, config),
    broadcast,
    pageVisitor: pageVisitor(networkOf(config, clock)),
    noticeSender: noticeSender(networkOf(config, clock)),
    providerFetch: providerFetch(networkOf(config, clock)),
    lookupTxt: txtLookup(),
  }
}

/** Builds the rules of where requests to the servers of apps may go. */
const networkOf = (config: Config, clock: Clock): Network => ({
  resolve: resolveHost,
  allowsLoopback: config.environment === 'development',
  allowsAnyPort: config.environment === 'development',
  clock,
  ownOrigins: new Set([config.baseUrl, config.issuerUrl].map((url) => new URL(url).origin)),
  refusalGridMs: config.environment === 'development' ? 0 : REFUSAL_GRID_MS,
})

type Parts = HasClock & HasDatabase & HasLog & HasRandomness

async function loadKeys(
  config: Config,
  cacheVersions: CacheVersions,
  { db, clock, randomness, log }: Parts,
): Promise<KeyRing> {
  const masters = masterKeysOf(config, randomness)
  const times = keyTimesOf(config)
  await ensureFirstKeys({ db, masters, randomness, times, now: clock() })
  return loadKeyRing(db, cacheVersions, {
    masters,
    randomness,
    times,
    now: clock(),
    onSealedKey: (kid, problem) => log.error({ kid, err: problem }, 'a key cannot be opened'),
  })
}

/** An embedded database has one node, which needs no broadcast. */
function openBroadcast(
  { databaseUrl }: Config,
  { db, clock, randomness, log }: Parts,
): SessionBroadcast | undefined {
  if (!isShared(databaseUrl)) return undefined
  const onLost = (error: unknown) => log.warn({ err: error }, 'session notifications were lost')
  return sessionBroadcast({ db, clock, randomness, onLost })
}

/** Opens both gates, which read one country file. */
async function openRegionGates(
  config: Config,
  log: FastifyBaseLogger,
): Promise<HasDirectoryGate & HasRegionGate> {
  const { allowedNetworks, environment } = config
  const isProduction = environment === 'production'
  const isOwn = networkMatcher(allowedNetworks)
  const countries = regionDatabase(config.regionDatabase, log)
  const open = (allowed: readonly string[]) =>
    regionGate({ allowed, isProduction, isOwn }, countries, log)
  const regions = open(config.allowedRegions)
  const directoryRegions = open(config.directoryRegions)
  await Promise.all([regions.refresh(), directoryRegions.refresh()])
  return { regions, directoryRegions }
}

/** The parts of a drain: balancers see first that the node leaves, then the streams move one after another. */
const DRAIN_HOLD_SHARE = 0.5
const DRAIN_MOVE_SHARE = 0.3

const KEPT_CONNECTIONS_MS = 500
/** A node that ends waits so long for the rest of requests, and for clients to read; then a supervisor would kill it. [V25] */
const CLIENTS_MS = 5000
/** A node that ends waits so long for the places of its newest audit events. */
const LAST_CHAIN_MS = 5000

function runningApp(
  service: Service,
  metrics: PrometheusMetrics | undefined,
  certificate: CertificateFiles | undefined,
): RunningApp {
  const { server, queueDepth } = buildServer(service, ROUTES, certificate?.first)
  const served = watchCertificate(server.server, certificate)
  const connections = trackConnections(server.server, {
    maxConnections: countConnectionDescriptors(),
    isProxy: networkMatcher(service.config.trustedProxies),
  })
  if (metrics) watchService(metrics, service, { queueDepth, certificate })
  let jobs: JobRunner | undefined
  let scrapes: ClosableListener | undefined
  let hasDrained = false
  return {
    service,
    server,
    startJobs() {
      jobs ??= startJobRunner(backgroundJobs(service), service.log, service.time.mayDelete)
    },
    async drain(ms, signal) {
      const { drain, log, subscriptions } = service
      drain.begin()
      hasDrained = true
      log.info({ seconds: ms / 1000 }, 'draining: not ready, serving on')
      const pause = (part: number) => sleep(ms * part, undefined, { signal }).catch(() => {})
      await pause(DRAIN_HOLD_SHARE)
      const moved = subscriptions.stop(ms * DRAIN_MOVE_SHARE, signal)
      await Promise.all([moved, pause(DRAIN_MOVE_SHARE)])
      await pause(1 - DRAIN_HOLD_SHARE - DRAIN_MOVE_SHARE)
    },
    async listenForScrapes() {
      if (metrics) scrapes = await listenForScrapes(metrics, service.config)
    },
    refreshCertificate: () => served.refresh(),
    async close() {
      served.stop()
      service.drain.begin()
      await service.subscriptions.stop()
      await jobs?.stop()
      // Closes connections that were busy when closing began, as soon as they are idle.
      await stopListening(server.server)
      // A proxy may still use a connection that it has kept; it is served, and closed by its answer.
      if (hasDrained) await sleep(KEPT_CONNECTIONS_MS)
      connections.closeUnused()
      const idle = setInterval(() => server.server.closeIdleConnections(), 20)
      const waiting = setTimeout(() => connections.closeWaiting(), CLIENTS_MS)
      await server.close().finally(() => {
        clearInterval(idle)
        clearTimeout(waiting)
      })
      scrapes?.close()
      await chainLastEvents(service)
      await service.tracing?.close()
      await service.db.close()
    },
  }
}

/** A node may be the last one of its installation: nothing of it waits for a start to get its place. */
async function chainLastEvents({ db, log, time }: Service): Promise<void> {
  const chained = extendChains(db, time.now(), { settleMs: -1, signal: AbortSignal.abort() })
  const late = sleep(LAST_CHAIN_MS, undefined, { ref: false })
  await Promise.race([chained, late]).catch((err: unknown) =>
    log.warn({ err }, 'the newest audit events get their place after the next start'),
  )
}

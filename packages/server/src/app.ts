// The only place where things are wired: opens the database, brings its schema up, loads the keys,
// makes the first administrator and, in development, the sample data, and puts the routes on a
// server. Takes clock, randomness and log as arguments, so that tests run the same wiring.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { appDirectory } from './apps/app-directory.ts'
import { watchCacheVersions } from './cluster/cache-versions.ts'
import { watchReadiness } from './cluster/readiness.ts'
import { sessionBroadcast } from './cluster/session-broadcast.ts'
import { sessionSubscriptions } from './cluster/session-subscriptions.ts'
import type { Config } from './config/config.ts'
import { passwordHasher } from './credentials/password.ts'
import { migrate } from './db/migrations/migrate.ts'
import { isShared, openDatabase } from './db/open.ts'
import { callerFinder } from './http/admission/client-address-finder.ts'
import { rateLimits } from './http/admission/rate-limits.ts'
import { regionDatabase } from './http/admission/region-database.ts'
import { regionGate } from './http/admission/region-gate.ts'
import { type JobRunner, startJobRunner } from './jobs/job-runner.ts'
import { backgroundJobs } from './jobs/jobs.ts'
import type { Clock, Randomness } from './kernel/randomness.ts'
import { loadKeyRing } from './keys/key-ring.ts'
import { ensureFirstKeys } from './keys/key-rotation.ts'
import { keyTimesOf } from './keys/key-schedule.ts'
import { masterKeysOf } from './keys/master-key.ts'
import { ROUTES } from './routes.ts'
import { seedFirstStart } from './seed/seed.ts'
import type { Service } from './service.ts'
import { buildServer } from './surfaces/server.ts'

export interface Dependencies {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: FastifyBaseLogger
}

export interface RunningApp {
  readonly service: Service
  readonly server: FastifyInstance
  /** Begins what a node does when nobody asks; stories do without and call what they need. */
  startJobs(): void
  close(): Promise<void>
}

/** @throws DatabaseUnavailable, or an Error that says which master key is needed. */
export async function startApp(config: Config, around: Dependencies): Promise<RunningApp> {
  const { clock, randomness, log } = around
  const opened = await openDatabase(config.databaseUrl, {
    onConnectionLost: (reason) => log.warn({ reason }, 'database connection lost'),
  })
  const { db, readiness } = watchReadiness(opened, clock, (trouble) =>
    trouble ? log.error({ trouble }, 'not ready: no writes') : log.info('ready again'),
  )
  try {
    const migrated = await migrate(db, clock)
    for (const { name } of migrated) log.info({ migration: name }, 'database migrated')
    const masters = masterKeysOf(config, randomness)
    const times = keyTimesOf(config)
    await ensureFirstKeys({ db, masters, randomness, times, now: clock() })
    const cacheVersions = watchCacheVersions(db, clock)
    const keys = await loadKeyRing(db, cacheVersions, {
      masters,
      times,
      now: clock(),
      onSealedKey: (kid, problem) => log.error({ kid, err: problem }, 'a key cannot be opened'),
    })
    const broadcast = isShared(config.databaseUrl)
      ? sessionBroadcast({
          db,
          clock,
          randomness,
          onLost: (error) => log.warn({ err: error }, 'news for other nodes were lost'),
        })
      : undefined
    const regions = regionGate(
      { allowed: config.allowedRegions, isProduction: config.environment === 'production' },
      regionDatabase(config.regionDatabase, log),
      log,
    )
    await regions.refresh()
    const service: Service = {
      config,
      db,
      readiness,
      clock,
      randomness,
      log,
      cacheVersions,
      keys,
      apps: appDirectory(db, cacheVersions),
      findCaller: callerFinder(config.trustedProxies, log),
      regions,
      limits: rateLimits(db),
      passwords: passwordHasher(randomness),
      subscriptions: sessionSubscriptions(broadcast),
      broadcast,
    }
    await seedFirstStart(service)
    const server = buildServer(service, ROUTES)
    let upkeep: JobRunner | undefined
    return {
      service,
      server,
      startJobs() {
        upkeep ??= startJobRunner(backgroundJobs(service), log)
      },
      async close() {
        service.subscriptions.stop()
        await upkeep?.stop()
        // A connection that was busy when closing began is let go as soon as it has been answered.
        const idle = setInterval(() => server.server.closeIdleConnections(), 20)
        await server.close().finally(() => clearInterval(idle))
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

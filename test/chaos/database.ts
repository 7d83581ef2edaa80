// The database of a run: a server that restarts through crash recovery, or a primary that is killed
// while its replica is promoted. Owns the fault and its repair; never decides when.
import pg from 'pg'
import { partOf } from '../../packages/server/src/kernel/partitions.ts'
import { migrateAndDivide } from '../../packages/server/test/divided-database.ts'
import { administerAt, startPostgres } from '../../packages/server/test/postgres.ts'
import { launchPair } from '../../packages/server/test/postgres-pair.ts'
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { launchCitus } from '../citus/cluster.ts'
import { isMissing } from '../process/debian.ts'
import { startPgBouncer } from '../process/pgbouncer.ts'
import { mountSmallDisk, whyNoMount } from '../process/small-disk.ts'
import type { ChaosOptions, Scenario } from './options.ts'

export interface ChaosDatabase {
  /** For the nodes; it may name several hosts. */
  readonly url: string
  /** Of the server itself, without a pooler. */
  readonly directUrl: string
  /** Resolves when every process of the server that takes writes is gone. */
  fail(): Promise<void>
  /** Resolves when the database takes writes again, on the same server or another. */
  repair(): Promise<void>
  /**
   * A server with a full disk goes on: it refuses some writes, and its processes may end in one. So a launch that
   * begins meanwhile is in flight at the fault. One that is gone refuses everything, which loses no launch.
   */
  readonly failsUntilRepair: boolean
  /** Whether the fault concerns the rows of this account. */
  concerns(accountId: string): Promise<boolean>
  /** Reads from the server that takes writes now, beside the nodes. */
  rows(sql: string, values: unknown[]): Promise<Record<string, unknown>[]>
  readonly story: { readonly broken: string; readonly repaired: string }
  stop(): Promise<void>
}

export async function startDatabase({
  scenario,
  partitions,
}: Pick<ChaosOptions, 'partitions' | 'scenario'>): Promise<ChaosDatabase> {
  const database = await START[scenario]()
  const division = scenario === 'citus' ? { kind: 'citus' as const } : hashOf(partitions)
  try {
    if (division) await migrateAndDivide(database.directUrl, division)
    return database
  } catch (error) {
    await database.stop()
    throw error
  }
}

const hashOf = (partitions: number) =>
  partitions > 0 ? { kind: 'hash' as const, partitions } : undefined

const START: Readonly<Record<Scenario, () => Promise<ChaosDatabase>>> = {
  nodes: startSingle,
  streams: startSingle,
  'master-key': startSingle,
  failover: startPair,
  citus: startCitus,
  operations: startOnSmallDisk,
}

async function rowsAt(url: string, sql: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

const everyAccount = async () => true

async function startSingle(): Promise<ChaosDatabase> {
  const server = await startPostgres()
  const url = await server.freshDatabase()
  return {
    url,
    directUrl: url,
    failsUntilRepair: false,
    concerns: everyAccount,
    rows: (sql, values) => rowsAt(url, sql, values),
    fail: () => server.crash(),
    repair: () => server.bringBack(),
    story: {
      broken: 'PostgreSQL was stopped at once, without a checkpoint',
      repaired: 'PostgreSQL is back, after crash recovery',
    },
    stop: () => server.stop(),
  }
}

const DISK_MEGABYTES = 256

/** Behind PgBouncer, on a disk that can be filled; without either where this machine has it not. */
async function startOnSmallDisk(): Promise<ChaosDatabase> {
  if (whyNoMount()) return startSingle()
  const disk = mountSmallDisk(DISK_MEGABYTES)
  const server = await launchServer({}, disk.path)
  const url = server.url.replace(/postgres$/, 'chartside')
  await administerAt(
    server.url,
    "CREATE DATABASE chartside TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
  )
  const pooler = await startPgBouncer(url, ['default_pool_size = 20'])
  const isPooled = !isMissing(pooler)
  return {
    url: isPooled ? pooler.url : url,
    directUrl: url,
    failsUntilRepair: true,
    concerns: everyAccount,
    rows: (sql, values) => rowsAt(url, sql, values),
    fail: async () => disk.fill(),
    repair: async () => disk.makeRoom(),
    story: {
      broken: `the disk of PostgreSQL is full${isPooled ? '; PgBouncer is in front of it' : ''}`,
      repaired: 'the disk has room again',
    },
    async stop() {
      if (isPooled) await pooler.stop()
      await server.stop()
      disk.unmount()
    },
  }
}

/** The database of `url`, which names several hosts, on one server. */
function atPrimary(url: string, server: string): string {
  const here = new URL(server)
  here.pathname = url.slice(url.lastIndexOf('/'))
  return here.href
}

async function startPair(): Promise<ChaosDatabase> {
  const pair = await launchPair()
  const url = await pair.freshDatabase()
  let writable = pair.primaryUrl
  return {
    url,
    directUrl: atPrimary(url, writable),
    failsUntilRepair: false,
    concerns: everyAccount,
    rows: (sql, values) => rowsAt(atPrimary(url, writable), sql, values),
    fail: () => pair.killPrimary(),
    async repair() {
      await pair.promoteReplica()
      writable = pair.replicaUrl
    },
    story: {
      broken: 'the primary was killed with SIGKILL, all its processes',
      repaired: 'the replica is promoted',
    },
    stop: () => pair.stop(),
  }
}

/** Of the two workers one dies, and takes only its own accounts with it until its standby is promoted. */
async function startCitus(): Promise<ChaosDatabase> {
  const { url, isOnSecond, killWorker, promoteStandby, stop } = await launchCitus(
    process.env.CHARTSIDE_CITUS_BIN ?? '',
  )
  return {
    url,
    directUrl: url,
    failsUntilRepair: true,
    concerns: (accountId) => isOnSecond(partOf(accountId)),
    rows: (sql, values) => rowsAt(url, sql, values),
    fail: killWorker,
    repair: promoteStandby,
    story: {
      broken: 'a worker of Citus was killed, all its processes',
      repaired: 'its standby is promoted, and Citus has its address',
    },
    stop,
  }
}

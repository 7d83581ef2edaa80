// Starts the service in process for story tests: the production wiring with a clock that the test
// turns and randomness that it can repeat, on a database of its own, of either engine. Talks to it over HTTP
// injection, or over a real socket when a race needs one. Owns no expectation.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { type RunningApp, startApp } from '../src/app.ts'
import { databaseClock } from '../src/cluster/database-clock.ts'
import { parseConfig } from '../src/config/config.ts'
import type { PasswordCost } from '../src/credentials/password.ts'
import { sql } from '../src/db/sql.ts'
import { type Randomness, systemRandomness } from '../src/kernel/randomness.ts'
import { refuseUndistributable } from './distributed-statements.ts'
import { openDatabaseForTest } from './postgres.ts'
import { nextRsaKey } from './rsa-keys.ts'

export const ADMIN = { email: 'admin@test.example', password: 'correct horse battery staple' }
export const HOST_ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'

/** Nodes of one installation must not draw the same bytes. */
let started = 0

/** scripts/test.ts runs the stories twice, the second time with this variable. */
export const isOnPostgres = process.env.CHARTSIDE_TEST_ENGINE === 'postgres'

export interface TestClock {
  (): number
  advance(seconds: number): void
}

export function testClock(start = Date.parse('2026-03-01T12:00:00Z')): TestClock {
  let now = start
  return Object.assign(() => now, {
    advance(seconds: number) {
      now += seconds * 1000
    },
  })
}

/** The clock of a node whose machine and database both have this one. */
export const testDatabaseClock = (clock: TestClock) =>
  databaseClock(
    { wall: clock, monotonic: clock, uptime: clock },
    { maxOffsetMs: 2000, isShared: true },
    { databaseTime: clock(), sentAt: clock(), receivedAt: clock() },
    () => {},
  )

/** Each is a process of PostgreSQL with caches of its own: ten would cost a third more processor time. */
const TEST_CONNECTIONS = '4'

/** Next to nothing; tests to which the cost is the point ask for PASSWORD_COST. */
export const TEST_PASSWORD_COST: PasswordCost = { memory: 64, passes: 1, parallelism: 1 }

/** More keys of one service than this are made, so that a database never gets one twice. */
const MAX_PREPARED_KEYS = 8

/** The same bytes for the same seed: a hash in counter mode. */
export function seededRandomness(seed: string): Randomness {
  let counter = 0
  let prepared = 0
  return {
    rsaKey: async (modulusBits) =>
      prepared++ < MAX_PREPARED_KEYS ? nextRsaKey() : systemRandomness().rsaKey(modulusBits),
    p256Key: () => systemRandomness().p256Key(),
    bytes(count) {
      const blocks: Buffer[] = []
      for (let have = 0; have < count; have += 32) {
        blocks.push(createHash('sha256').update(`${seed}:${counter++}`).digest())
      }
      return Buffer.concat(blocks).subarray(0, count)
    },
  }
}

export interface TestService extends RunningApp {
  readonly clock: TestClock
  readonly dataDir: string
  /** Everything that was logged, at every level. */
  readonly logText: () => string
  /** Forgets what was logged before, so that a long run does not keep it. */
  readonly clearLog: () => void
}

export async function startTestService(
  environment: Record<string, string> = {},
  options: {
    clock?: TestClock
    /** The clock of this machine; the database's, and the service's, is `clock`. */
    wall?: () => number
    dataDir?: string
    seed?: string
    /** PASSWORD_COST where the time of a sign-in is the point. */
    passwordCost?: PasswordCost
    /** Starts one more node of this installation: the same database, master key and clock. */
    beside?: TestService
  } = {},
): Promise<TestService> {
  const { beside, passwordCost = TEST_PASSWORD_COST } = options
  const keptDir = options.dataDir ?? beside?.dataDir
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'chartside-test-'))
  const database = isOnPostgres && !beside ? await openDatabaseForTest() : undefined
  const { config } = parseConfig({
    CHARTSIDE_DATA_DIR: dataDir,
    CHARTSIDE_DATABASE_CONNECTIONS: TEST_CONNECTIONS,
    ...(database ? { CHARTSIDE_DATABASE_URL: database.url } : {}),
    ...(beside ? { CHARTSIDE_DATABASE_URL: beside.service.config.databaseUrl } : {}),
    CHARTSIDE_ADMIN_EMAIL: ADMIN.email,
    CHARTSIDE_ADMIN_PASSWORD: ADMIN.password,
    CHARTSIDE_HOST_ORIGINS: HOST_ORIGIN,
    CHARTSIDE_LOG_LEVEL: 'debug',
    CHARTSIDE_BASE_URL: 'https://chartside.test',
    ...environment,
  })
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const clock = options.clock ?? beside?.clock ?? testClock()
  const randomness = seededRandomness(options.seed ?? `${dataDir} ${started++}`)
  const log = pino({ level: config.logLevel }, sink)
  const app = await startApp(config, {
    clock: options.wall ?? clock,
    monotonic: clock,
    uptime: clock,
    databaseTime: () => sql`CAST(${clock()} AS BIGINT)`,
    randomness,
    log,
    passwordCost,
  })
  refuseUndistributable(app.service.db)
  // No test asks the name servers of this machine.
  Object.assign(app.service, { lookupTxt: async () => 'unreachable' })
  return {
    ...app,
    clock,
    dataDir,
    logText: () => lines.join(''),
    clearLog: () => void lines.splice(0),
    async close() {
      await app.close()
      await database?.drop()
      if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

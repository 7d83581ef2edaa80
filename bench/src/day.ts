// A day of a clinic in some hours: the service as `npm run serve` starts it, people who come by the time of the
// day (day-worker.ts), and beside them what process and database hold. The launches of a day whose retention
// ends meanwhile lie in the database, so that the sweep has as much to do as on every day.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../test/process/command.ts'
import { seededNumbers } from '../../test/process/launch-load.ts'
import {
  ADMIN,
  findFreePort,
  type ServiceProcess,
  startService,
} from '../../test/process/service-process.ts'
import { type DayShape, type DayTimes, drawArrivals, planTimes, shareAt } from './clinic-day.ts'
import { openConnection } from './connection.ts'
import { type HoldingsReader, readHoldings } from './day-holdings.ts'
import { openPageAt } from './day-operations.ts'
import { type DayRun, timeOf } from './day-report.ts'
import type { Day, DaySample } from './day-verdict.ts'
import { startEngine } from './engine.ts'
import { connect, DAY_MS, insertExpired } from './expired-rows.ts'
import { type DayJob, type PlayedPart, startWorker, type Worker } from './jobs.ts'
import type { Options } from './options.ts'
import { APPS_OF_AN_ARRIVAL, setUpPractices } from './practices.ts'
import { serviceEnvironment } from './service-settings.ts'
import type { Provider } from './target.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

const HOUR_MS = 3_600_000
const MIN_SAMPLES = 48
/** The practices have four sign-ins each. */
const MAX_PRACTICES = 16
const RETENTION_MS = 7 * DAY_MS
/** A page is opened, and half of the pages go on to another chart. */
const LAUNCHES_OF_AN_ARRIVAL = 1.5 * APPS_OF_AN_ARRIVAL
/** The time gives a short day some launches that the sweep has to remove. */
const OVERDUE_MS = 20 * 60_000
/** The number of parts in which the launches of a week ago were made. */
const EXPIRED_PARTS = 24
const BACKUP_HOUR = 2

interface Setting extends DayShape {
  readonly directory: string
  readonly databaseUrl: string
  readonly times: DayTimes
  readonly seed: number
  readonly signal: AbortSignal
}

export async function measureDay(
  { engine: name, hours, peak, seed }: Options,
  signal: AbortSignal,
): Promise<DayRun> {
  const engine = await startEngine(name)
  try {
    const databaseUrl = await engine.freshDatabase()
    const dayMs = hours * HOUR_MS
    const shape = { dayMs, peak: peak / LAUNCHES_OF_AN_ARRIVAL }
    return await inTemporaryDirectory((directory) =>
      measureIn({ ...shape, directory, databaseUrl, times: planTimes(dayMs), seed, signal }),
    )
  } finally {
    await engine.stop()
  }
}

async function measureIn(setting: Setting): Promise<DayRun> {
  const { directory, databaseUrl, times, seed, peak } = setting
  const metricsPort = await findFreePort()
  const log = openSync(join(directory, 'service.log'), 'a')
  const dataDir = join(directory, 'data')
  const atFirst = {
    ...serviceEnvironment(databaseUrl),
    CHARTSIDE_DATA_DIR: dataDir,
    CHARTSIDE_METRICS_PORT: String(metricsPort),
    CHARTSIDE_RETENTION_HOURS: String(RETENTION_MS / HOUR_MS),
    // An app keeps the lifetime of the time at which it was registered.
    CHARTSIDE_ACCESS_TOKEN_LIFETIME_SECONDS: String(times.tokenSeconds),
  }
  const start = { dataDir, stdout: log, environment: atFirst }
  // Its sign-ins last until every provider has one.
  const first = await startService(start)
  const people = await setUpPractices(first.baseUrl, ADMIN, {
    practices: Math.max(2, Math.min(MAX_PRACTICES, Math.ceil(peak))),
    ...{ appsEach: APPS_OF_AN_ARRIVAL, signInsEach: 4 },
  })
  await openOne(first, people)
  await first.end()
  await insertWeekOld(setting, dataDir)
  const environment = {
    ...atFirst,
    CHARTSIDE_SESSION_IDLE_SECONDS: String(times.idleSeconds),
  }
  const service = await startService({ ...start, environment, port: first.port })
  const load = startWorker<DayJob, PlayedPart>('day-worker.ts')
  const database = await connect(databaseUrl, dataDir)
  try {
    await load.ask({ kind: 'connect', port: service.port, people, times, seed })
    const holdings = readHoldings({
      ...service,
      metricsPort,
      run: database.run,
      retentionMs: RETENTION_MS,
    })
    const commands = startCommands(environment, directory, people[0]?.accountId ?? '')
    return await playDay(setting, load, holdings, commands)
  } finally {
    load.end()
    await database.close()
    await service.end('SIGTERM')
    closeSync(log)
  }
}

/** The copies of a week ago need a launch with all that it leaves. */
async function openOne({ port }: ServiceProcess, [person]: readonly Provider[]): Promise<void> {
  if (!person) throw new Error('there is no provider')
  const on = await openConnection(port)
  await openPageAt(on, { number: 0, person, sessionToken: person.sessionToken })
  on.close()
}

/**
 * Inserts as many launches as this day will have, some past their retention, the others due in the course of the day.
 */
async function insertWeekOld({ dayMs, peak, ...setting }: Setting, dataDir: string) {
  const began = Date.now() - RETENTION_MS - OVERDUE_MS
  for (let part = 0; part < EXPIRED_PARTS; part += 1) {
    const share = shareAt(((part + 0.5) / EXPIRED_PARTS) * 24)
    const perSecond = peak * share * LAUNCHES_OF_AN_ARRIVAL
    const rows = Math.ceil((perSecond * dayMs) / 1000 / EXPIRED_PARTS)
    const at = Math.round(began + (part / EXPIRED_PARTS) * dayMs)
    await insertExpired({ ...setting, dataDir }, rows, () => {}, at)
  }
}

async function playDay(
  { dayMs, peak, seed, signal }: Setting,
  load: Worker<DayJob, PlayedPart>,
  holdings: HoldingsReader,
  { backUp, checkTrail }: OperatorCommands,
): Promise<DayRun> {
  const random = seededNumbers(seed)
  const before = await holdings()
  const samples: DaySample[] = []
  const commands: Record<string, string | undefined> = {}
  const count = Math.max(MIN_SAMPLES, Math.round(dayMs / 60_000))
  const partMs = dayMs / count
  const began = performance.now()
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  )
  stopped.catch(() => {})
  let counts: PlayedPart['counts'] | undefined
  let backup: Promise<string | undefined> | undefined
  let after: Day['after']
  let failure: string | undefined
  try {
    while (samples.length < count) {
      signal.throwIfAborted()
      const [fromMs, toMs] = [performance.now() - began, (samples.length + 1) * partMs]
      const hour = ((samples.length + 0.5) / count) * 24
      if (hour >= BACKUP_HOUR) backup ??= backUp()
      // What the sample before took is made up for, so that the day ends in time.
      const milliseconds = Math.max(0, toMs - fromMs)
      const arrivals = drawArrivals(random, { dayMs, peak }, samples.length * partMs, toMs).map(
        (at) => Math.max(0, at - fromMs),
      )
      const played = await Promise.race([
        load.ask({ kind: 'play', milliseconds, arrivals }),
        stopped,
      ])
      counts = played.counts
      const { inTime, steps, openPages } = played
      const served = (1000 * arrivals.length) / partMs
      samples.push({
        ...{ hour, arrivals: arrivals.length, served, inTime, steps, openPages },
        ...(await holdings()),
      })
      say(samples)
    }
    commands['backup at two o’clock'] = await backup
    counts = (await Promise.race([load.ask({ kind: 'close' }), stopped])).counts
    after = await holdings()
    commands['trail of a practice verifies'] = await checkTrail()
  } catch (error) {
    const [text = ''] = String(error)
      .replace(/^(Error: )+/, '')
      .split('\n')
    failure = `${text.slice(0, 100)}, at ${timeOf(24 * ((performance.now() - began) / dayMs))}`
    process.stderr.write(`[day] ended: ${error}\n`)
  }
  return { samples, before, after, commands, failure, dayMs, peak, seed, counts }
}

interface OperatorCommands {
  /** Each gives what went wrong. */
  backUp(): Promise<string | undefined>
  checkTrail(): Promise<string | undefined>
}

function startCommands(
  environment: Readonly<Record<string, string>>,
  directory: string,
  accountId: string,
): OperatorCommands {
  const run = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(args, environment)
    return code === 0 ? undefined : `exit code ${code}: ${stderr.trim().slice(0, 100)}`
  }
  const trail = join(directory, 'trail.jsonl')
  return {
    backUp: () => run('db', 'backup', directory),
    checkTrail: async () =>
      (await run('audit', 'export', trail, '--account', accountId)) ??
      run('audit', 'verify', trail),
  }
}

function say(samples: readonly DaySample[]): void {
  const last = samples.at(-1)
  if (!last) return
  const { hour, served, steps, openPages, megabytes = Number.NaN, descriptors = Number.NaN } = last
  const p99 = steps.token?.p99Ms ?? Number.NaN
  process.stderr.write(
    `[day] ${timeOf(hour)}: ${served.toFixed(1)} arrivals/s, ${openPages} open pages, ` +
      `token p99 ${p99.toFixed(1)} ms, ${megabytes.toFixed(0)} MB, ${descriptors} descriptors\n`,
  )
}

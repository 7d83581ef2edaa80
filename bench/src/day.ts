// A day of a clinic in some hours: the service as `npm run serve` starts it, arrivals by the time of the day, and
// beside them what the process holds. Keeps table and picture in .chartside/bench, also of a day that failed.
import { closeSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, residentMegabytes, startService } from '../../test/process/service-process.ts'
import { api, signIn } from '../../test/process/story-verbs.ts'
import { type DaySample, judgeDay, shareAt } from './clinic-day.ts'
import { buildDayPicture } from './day-picture.ts'
import { recordPrinted } from './docs-record.ts'
import { startEngine } from './engine.ts'
import { connect } from './expired-rows.ts'
import { type LoadJob, type LoadResult, startWorker } from './jobs.ts'
import { describeMachine } from './machine.ts'
import type { Options } from './options.ts'
import { APPS_OF_AN_ARRIVAL, PASSWORD, setUpPractices } from './practices.ts'
import { alignColumns } from './report.ts'
import { serviceEnvironment } from './service-settings.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

/** At nine o'clock, with four launches each: a quarter of what one node carries. */
const PEAK_ARRIVALS = 25
const MINUTE_MS = 60_000
const MIN_SAMPLES = 48
const TABLES = ['launches', 'ehr_sessions', 'audit_entries']

export interface DayResult {
  readonly hours: number
  readonly samples: readonly DaySample[]
  readonly failure: string | undefined
}

export async function measureDay(options: Options): Promise<DayResult> {
  const engine = await startEngine(options.engine)
  try {
    const databaseUrl = await engine.freshDatabase()
    return await inTemporaryDirectory((directory) => measureIn(directory, databaseUrl, options))
  } finally {
    await engine.stop()
  }
}

async function measureIn(
  directory: string,
  databaseUrl: string,
  { hours }: Options,
): Promise<DayResult> {
  const dataDir = join(directory, 'data')
  const log = openSync(join(directory, 'service.log'), 'a')
  const environment = serviceEnvironment(databaseUrl)
  const service = await startService({ dataDir, stdout: log, environment })
  const load = startWorker<LoadJob, LoadResult>('load-worker.ts')
  const samples: DaySample[] = []
  let failure: string | undefined
  try {
    const people = await setUpPractices(service.baseUrl, ADMIN)
    await load.ask({ kind: 'connect', target: { kind: 'service', port: service.port, people } })
    const rows = await connect(databaseUrl, dataDir)
    const count = Math.max(MIN_SAMPLES, Math.round(hours * 60))
    const sliceMs = (hours * 60 * MINUTE_MS) / count
    const beganAt = performance.now()
    try {
      while (samples.length < count) {
        const at = samples.length
        const hour = ((at + 0.5) / count) * 24
        const perSecond = PEAK_ARRIVALS * shareAt(hour)
        // What the sample before took is made up for, so that the day ends in time.
        const leftMs = beganAt + (at + 1) * sliceMs - performance.now()
        const arrivals = Math.max(1, Math.round((perSecond * leftMs) / 1000))
        const result = await load.ask({ kind: 'visit', count: arrivals, perSecond })
        await load.ask({ kind: 'verify' })
        await signInAndOut(service.baseUrl)
        samples.push({
          ...{ hour, arrivals, asked: perSecond, served: Math.min(perSecond, result.perSecond) },
          ...{ p50Ms: result.p50Ms, p99Ms: result.p99Ms },
          megabytes: residentMegabytes(service.pid),
          descriptors: countDescriptors(service.pid),
          rows: await countRows(rows.run),
        })
        say(samples)
        await sleep(Math.max(0, beganAt + (at + 1) * sliceMs - performance.now()))
      }
    } catch (error) {
      const [text = ''] = String(error).split('\n')
      failure = text.slice(0, 100)
      process.stderr.write(`[day] ended: ${error}\n`)
    }
    await rows.close()
    return { hours, samples, failure }
  } finally {
    load.end()
    await service.end('SIGTERM')
    closeSync(log)
  }
}

/** A sign-in with its costly password, and a sign-out after which its token is refused. */
async function signInAndOut(baseUrl: string): Promise<void> {
  const credentials = { email: 'provider1@practice.example', password: PASSWORD }
  const caller = { baseUrl, sessionToken: await signIn(baseUrl, credentials) }
  await api(caller, 'POST', '/auth/sign-out')
  const { status } = await api(caller, 'GET', '/api/sessions')
  if (status !== 401) throw new Error(`a session token answers ${status} after its sign-out`)
}

function countDescriptors(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  return readdirSync(`/proc/${pid}/fd`).length
}

async function countRows(run: { count(sql: string): Promise<number> }) {
  const rows: Record<string, number> = {}
  for (const table of TABLES) rows[table] = await run.count(`SELECT COUNT(*) AS n FROM ${table}`)
  return rows
}

function say(samples: readonly DaySample[]): void {
  const last = samples.at(-1)
  if (!last) return
  const { hour, served, p99Ms, megabytes = Number.NaN, descriptors = Number.NaN } = last
  process.stderr.write(
    `[day] ${timeOf(hour)}: ${served.toFixed(1)} arrivals/s, p99 ${p99Ms.toFixed(1)} ms, ` +
      `${megabytes.toFixed(0)} MB, ${descriptors} descriptors\n`,
  )
}

const timeOf = (hour: number) =>
  new Date(hour * 60 * MINUTE_MS)
    .toISOString()
    .slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length)

/** Prints the day and keeps its picture. Gives whether it went well. */
export function showDay({ hours, samples, failure }: DayResult): boolean {
  const verdicts = judgeDay(samples, failure)
  const every = Math.max(1, Math.floor(samples.length / 24))
  const shown = samples.filter((_, at) => at % every === 0 || at === samples.length - 1)
  const total = samples.reduce((sum, { arrivals }) => sum + arrivals, 0)
  const text = [
    `${describeMachine()}\nA day in ${hours} h: ${total} arrivals with ${total * APPS_OF_AN_ARRIVAL} launches.`,
    alignColumns([
      ['time', 'arrivals/s', 'p50 ms', 'p99 ms', 'MB', 'descriptors', ...TABLES],
      ...shown.map(({ hour, served, p50Ms, p99Ms, megabytes, descriptors, rows }) => [
        ...[timeOf(hour), served.toFixed(1), p50Ms.toFixed(1), p99Ms.toFixed(1)],
        ...[megabytes?.toFixed(0) ?? '', String(descriptors ?? '')],
        ...TABLES.map((table) => String(rows[table] ?? '')),
      ]),
    ]),
    alignColumns([
      ['', 'wanted', 'measured', ''],
      ...verdicts.map((one) => [one.name, one.wanted, one.measured, one.isGood ? 'ok' : 'FAILED']),
    ]),
  ].join('\n')
  process.stdout.write(`${text}\n`)
  recordPrinted('day.txt', text)
  recordPrinted('day.svg', buildDayPicture(samples))
  return verdicts.every(({ isGood }) => isGood)
}

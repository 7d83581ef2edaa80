// What expired rows cost an exchange: the same load on a service with an empty database and on one that
// deletes expired rows, in interleaved rounds. The service that is not measured is stopped (SIGSTOP),
// so that it takes no processor time. Security F06.
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, type ServiceProcess, startService } from '../../test/process/service-process.ts'
import { startEngine } from './engine.ts'
import { countExpired, insertExpired } from './expired-rows.ts'
import { type LoadJob, type LoadResult, startWorker, type Worker } from './jobs.ts'
import { cpuMicroseconds, median, onCore, whyNotPinned } from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { setUpPractices } from './practices.ts'
import { alignColumns } from './report.ts'
import { serviceEnvironment } from './service-settings.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

export interface SideResult extends LoadResult {
  /** The processor time of the service for each flow, the sweep's included; µs. */
  readonly cpuPerFlow: number
}

export interface SweepRound {
  readonly empty: SideResult
  readonly swept: SideResult
}

export interface SweepResult {
  readonly rows: number
  /** Rows that went while the load ran. */
  readonly removed: number
  readonly rounds: readonly SweepRound[]
}

interface CopyEndpoint {
  readonly databaseUrl: string
  readonly service: ServiceProcess
  readonly load: Worker<LoadJob, LoadResult>
}

export const measureSweep = (options: Options): Promise<SweepResult> =>
  inTemporaryDirectory((directory) => measureIn(directory, options))

async function measureIn(directory: string, options: Options): Promise<SweepResult> {
  const engine = await startEngine(options.engine)
  const sides: CopyEndpoint[] = []
  try {
    for (const name of ['empty', 'swept'] as const) {
      const databaseUrl = await engine.freshDatabase()
      const side = await startSide(join(directory, name), databaseUrl, name, options)
      sides.push(side)
      process.kill(side.service.pid, 'SIGSTOP')
    }
    const [empty, swept] = sides
    if (!empty || !swept) throw new Error('both services must run')
    const flow = (milliseconds: number) =>
      ({ kind: 'flow', inFlight: options.inFlight, milliseconds }) as const
    const measure = async (
      { service, load }: CopyEndpoint,
      milliseconds: number,
    ): Promise<SideResult> => {
      process.kill(service.pid, 'SIGCONT')
      const before = cpuMicroseconds(service.pid) ?? Number.NaN
      const result = await load.ask(flow(milliseconds))
      const after = cpuMicroseconds(service.pid) ?? Number.NaN
      process.kill(service.pid, 'SIGSTOP')
      return { ...result, cpuPerFlow: (after - before) / result.count }
    }
    for (const side of sides) await measure(side, options.warmUpSeconds * 1000)
    const rounds: SweepRound[] = []
    while (rounds.length < ROUNDS) {
      const slice = (options.seconds * 1000) / ROUNDS
      // Both orders, so that neither is always the one with the warmer machine.
      const isSwapped = rounds.length % 2 === 1
      const first = await measure(isSwapped ? swept : empty, slice)
      const second = await measure(isSwapped ? empty : swept, slice)
      const round = isSwapped ? { empty: second, swept: first } : { empty: first, swept: second }
      rounds.push(round)
      const ratio = round.swept.perSecond / round.empty.perSecond
      process.stderr.write(
        `[sweep] round ${rounds.length} of ${ROUNDS}: ${round.empty.perSecond.toFixed(0)} flows/s empty, ` +
          `${round.swept.perSecond.toFixed(0)} while sweeping (${ratio.toFixed(3)})\n`,
      )
    }
    process.kill(swept.service.pid, 'SIGCONT')
    const left = await countExpired(swept.databaseUrl, swept.service.dataDir)
    return { rows: options.rows, removed: options.rows - left, rounds }
  } finally {
    for (const { service, load } of sides) {
      load.end()
      process.kill(service.pid, 'SIGCONT')
      await service.end('SIGTERM')
    }
    await engine.stop()
  }
}

async function startSide(
  directory: string,
  databaseUrl: string,
  name: 'empty' | 'swept',
  options: Options,
): Promise<CopyEndpoint> {
  const isPinned = options.engine === 'sqlite' && whyNotPinned() === undefined
  const dataDir = join(directory, 'data')
  const start = {
    dataDir,
    prefix: isPinned ? onCore(0) : [],
    environment: serviceEnvironment(databaseUrl),
  }
  const first = await startService(start)
  const people = await setUpPractices(first.baseUrl, ADMIN)
  await first.end()
  if (name === 'swept') {
    const say = (text: string) => process.stderr.write(`[sweep] ${text}\n`)
    await insertExpired({ databaseUrl, dataDir }, options.rows, say)
  }
  const log = openSync(join(directory, 'service.log'), 'a')
  const service = await startService({ ...start, stdout: log, port: first.port })
  const load = startWorker<LoadJob, LoadResult>('load-worker.ts', isPinned ? onCore(1) : [])
  await load.ask({ kind: 'connect', target: { kind: 'service', port: service.port, people } })
  await sleep(500)
  return { databaseUrl, service, load }
}

export function buildSweepTable({ rows, removed, rounds }: SweepResult): string {
  const rowOf = (title: string, side: keyof SweepRound) => {
    const of = (take: (result: SideResult) => number, digits = 0) =>
      median(rounds.map((round) => take(round[side]))).toFixed(digits)
    return [
      title,
      of(({ perSecond }) => perSecond),
      of(({ p50Ms }) => p50Ms, 1),
      of(({ p99Ms }) => p99Ms, 1),
      of(({ cpuPerFlow }) => cpuPerFlow),
    ]
  }
  const ratioOf = (take: (round: SweepRound) => number) => median(rounds.map(take))
  const speed = ratioOf(({ swept, empty }) => swept.perSecond / empty.perSecond)
  const cost = ratioOf(({ swept, empty }) => swept.cpuPerFlow / empty.cpuPerFlow)
  return [
    alignColumns([
      ['', 'flows/s', 'p50 ms', 'p99 ms', 'µs of CPU per flow'],
      rowOf('empty database', 'empty'),
      rowOf(`${rows} expired launches, being removed`, 'swept'),
    ]),
    `${removed} rows were removed meanwhile.`,
    `Issuance keeps ${(speed * 100).toFixed(1)} % of its speed, and a flow costs ` +
      `${(cost * 100).toFixed(1)} % of the processor time (goal: at most 105 %): ${cost <= 1.05 ? 'met' : 'MISSED'}`,
  ].join('\n')
}

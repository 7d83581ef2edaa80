// Measures one mode: service, load generator and signers on the cores of the mode, in interleaved
// rounds, so that a change of the machine's speed affects all figures alike. Each fraction of the RSA
// rate is computed within its round. Prints progress to stderr.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, residentMegabytes, startService } from '../../test/process/service-process.ts'
import { startEngine } from './engine.ts'
import {
  type LoadJob,
  type LoadResult,
  type SigningJob,
  type SigningResult,
  startWorker,
  type Worker,
} from './jobs.ts'
import {
  coreCount,
  cpuMicroseconds,
  cpuOfFamily,
  highWaterMegabytes,
  median,
  onCore,
} from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { APPS_OF_AN_ARRIVAL, setUpPractices } from './practices.ts'
import { serviceEnvironment } from './service-settings.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

export type Mode = 'one core' | 'all cores'

export interface Round {
  /** Signatures per second of the cores that the mode gives to the service. */
  readonly rsa: number
  readonly rsaAsync: number | undefined
  /** The processor time of a signature; µs. */
  readonly rsaCpu: number
  readonly flow: LoadResult
  /** The result for each launch, not for each arrival. */
  readonly arrival: LoadResult
  readonly token: LoadResult
  readonly tokenAtHalfLoad: LoadResult
  readonly introspect: LoadResult
  readonly jwks: LoadResult
  /** The processor time of the service; µs. */
  readonly cpuPerFlow: number | undefined
  readonly cpuPerToken: number | undefined
  /** The processor time of the database beside it, where there is one. */
  readonly databaseCpuPerFlow: number | undefined
}

export interface ModeResult {
  readonly mode: Mode
  readonly rounds: readonly Round[]
  readonly readyAfterMs: number
  readonly idleMegabytes: number | undefined
  readonly loadedMegabytes: number | undefined
}

const FIRST_ROUND_MS = 500
const SETTLE_MS = 1500

export async function measureMode(mode: Mode, options: Options): Promise<ModeResult> {
  const engine = await startEngine(options.engine)
  try {
    const databaseUrl = await engine.freshDatabase()
    const database = { databaseUrl, databasePid: engine.pid }
    return await inTemporaryDirectory((directory) => measureIn(directory, mode, options, database))
  } finally {
    await engine.stop()
  }
}

async function measureIn(
  directory: string,
  mode: Mode,
  options: Options,
  { databaseUrl, databasePid }: { databaseUrl: string; databasePid: number | undefined },
): Promise<ModeResult> {
  const say = (text: string) => process.stderr.write(`[${mode}] ${text}\n`)
  const isPinned = mode === 'one core'
  // A log file, as a supervisor would give it: its writes are part of what is measured.
  const log = openSync(join(directory, 'service.log'), 'a')
  const start = {
    dataDir: join(directory, 'data'),
    stdout: log,
    prefix: isPinned ? onCore(0) : [],
    environment: {
      ...serviceEnvironment(databaseUrl),
      CHARTSIDE_WORKERS: String(options.workers),
    },
  }
  // The first start makes keys and people; what is measured is a start with them in place.
  const first = await startService(start)
  await first.end()
  const service = await startService(start)
  const signers = startSigners(mode)
  const load = startWorker<LoadJob, LoadResult>('load-worker.ts', isPinned ? onCore(1) : [])
  try {
    await sleep(SETTLE_MS)
    // Of several processes none is the service.
    const memoryOf = (read: typeof residentMegabytes) =>
      options.workers > 1 ? undefined : read(service.pid)
    const idleMegabytes = memoryOf(residentMegabytes)
    const people = await setUpPractices(service.baseUrl, ADMIN)
    await load.ask({ kind: 'connect', target: { kind: 'service', port: service.port, people } })
    const slice = (options.seconds * 1000) / ROUNDS
    say(`warming up for ${options.warmUpSeconds} s`)
    const { inFlight, warmUpSeconds } = options
    await load.ask({ kind: 'flow', inFlight, milliseconds: warmUpSeconds * 1000 })
    // One round that does not count, so that every other figure is warm as well.
    const pids = { service: service.pid, database: databasePid, workers: options.workers }
    await measureRound(pids, load, signers, { ...options, milliseconds: FIRST_ROUND_MS })
    const rounds: Round[] = []
    while (rounds.length < ROUNDS) {
      const round = await measureRound(pids, load, signers, {
        ...options,
        milliseconds: slice,
      })
      rounds.push(round)
      const share = (round.flow.perSecond / round.rsa).toFixed(2)
      say(
        `round ${rounds.length} of ${ROUNDS}: ${round.rsa.toFixed(0)} signatures/s, ` +
          `${round.flow.perSecond.toFixed(0)} flows/s (${share})`,
      )
    }
    return {
      mode,
      rounds,
      readyAfterMs: service.readyAfterMs,
      idleMegabytes,
      loadedMegabytes: memoryOf(highWaterMegabytes),
    }
  } finally {
    load.end()
    signers.end()
    await service.end('SIGTERM')
    closeSync(log)
  }
}

interface Signers {
  rate(milliseconds: number): Promise<Pick<Round, 'rsa' | 'rsaAsync' | 'rsaCpu'>>
  end(): void
}

/**
 * One core: one signer on the service's core. All cores: one signer per core at the same time, and
 * the thread pool of one process; the better of the two is the limit that figures are held to.
 */
function startSigners(mode: Mode): Signers {
  const start = (prefix: string[]): Worker<SigningJob, SigningResult> =>
    startWorker('signing-worker.ts', prefix, { UV_THREADPOOL_SIZE: String(coreCount + 2) })
  if (mode === 'one core') {
    const signer = start(onCore(0))
    return {
      async rate(milliseconds) {
        const { perSecond, cpuMicroseconds: rsaCpu } = await signer.ask({
          kind: 'sync',
          milliseconds,
        })
        return { rsa: perSecond, rsaAsync: undefined, rsaCpu }
      },
      end: () => signer.end(),
    }
  }
  const signers = Array.from({ length: coreCount }, () => start([]))
  return {
    async rate(milliseconds) {
      const half = milliseconds / 2
      const each = signers.map((signer) => signer.ask({ kind: 'sync', milliseconds: half }))
      const all = await Promise.all(each)
      const together = all.reduce((sum, { perSecond }) => sum + perSecond, 0)
      const rsaCpu = median(all.map((one) => one.cpuMicroseconds))
      const pooled = await signers[0]?.ask({ kind: 'async', milliseconds: half })
      const rsa = Math.max(together, pooled?.perSecond ?? 0)
      return { rsa, rsaAsync: pooled?.perSecond, rsaCpu }
    },
    end: () => {
      for (const signer of signers) signer.end()
    },
  }
}

async function measureRound(
  pids: {
    readonly service: number
    readonly database: number | undefined
    readonly workers: number
  },
  load: Worker<LoadJob, LoadResult>,
  signers: Signers,
  { milliseconds, inFlight }: { milliseconds: number; inFlight: number },
): Promise<Round> {
  const cpu = () =>
    (pids.workers > 1 ? cpuOfFamily(pids.service) : cpuMicroseconds(pids.service)) ?? Number.NaN
  const databaseCpu = () =>
    pids.database === undefined ? Number.NaN : (cpuOfFamily(pids.database) ?? Number.NaN)
  const signing = await signers.rate(milliseconds)
  const atFirst = { cpu: cpu(), databaseCpu: databaseCpu() }
  const flow = await load.ask({ kind: 'flow', inFlight, milliseconds })
  const cpuPerFlow = (cpu() - atFirst.cpu) / flow.count
  const databaseCpuPerFlow = (databaseCpu() - atFirst.databaseCpu) / flow.count
  // An exchange is somewhat cheaper than a flow: enough codes for about the time that was asked.
  const codes = Math.max(inFlight, Math.ceil(flow.perSecond * 1.4 * (milliseconds / 1000)))
  await load.ask({ kind: 'prepare', inFlight, count: codes })
  const beforeTokens = cpu()
  const token = await load.ask({ kind: 'token', inFlight })
  const cpuPerToken = (cpu() - beforeTokens) / token.count
  const perSecond = token.perSecond / 2
  const paced = Math.max(inFlight, Math.ceil(perSecond * (milliseconds / 1000)))
  await load.ask({ kind: 'prepare', inFlight, count: paced })
  const tokenAtHalfLoad = await load.ask({ kind: 'token', inFlight, perSecond })
  const arrivals = await load.ask({ kind: 'arrival', inFlight, milliseconds })
  const arrival = {
    ...arrivals,
    count: arrivals.count * APPS_OF_AN_ARRIVAL,
    perSecond: arrivals.perSecond * APPS_OF_AN_ARRIVAL,
  }
  const introspect = await load.ask({ kind: 'introspect', inFlight, milliseconds })
  const jwks = await load.ask({ kind: 'jwks', inFlight, milliseconds })
  await load.ask({ kind: 'verify' })
  return {
    ...signing,
    ...{ flow, token, tokenAtHalfLoad, arrival, introspect, jwks },
    cpuPerFlow: known(cpuPerFlow),
    cpuPerToken: known(cpuPerToken),
    databaseCpuPerFlow: known(databaseCpuPerFlow),
  }
}

const known = (value: number) => (Number.isNaN(value) ? undefined : value)

/** The median over the rounds of whatever is taken from each. */
export const medianOf = (result: ModeResult, take: (round: Round) => number): number =>
  median(result.rounds.map(take))

// Measures the service and its peers beside each other: in every round each does the same work, between two
// measurements of what an RSA signature costs. Each has all cores, as in production, so that signatures run
// on its thread pool. Processor time decides: the clock on the wall differs too much on shared machines.
import { openSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ADMIN,
  residentMegabytes,
  SERVICE_FLAGS,
  startService,
} from '../../test/process/service-process.ts'
import type { ComparisonResult, ContenderRound, Figure, Measured } from './comparison-summary.ts'
import {
  type LoadJob,
  type LoadResult,
  type SigningJob,
  type SigningResult,
  startWorker,
  type Worker,
} from './jobs.ts'
import { cpuMicroseconds, highWaterMegabytes } from './machine.ts'
import { type Peer, startPeer } from './peers.ts'
import { APPS_OF_AN_ARRIVAL, type InstallationSize, setUpPractices } from './practices.ts'
import { serviceEnvironment } from './service-settings.ts'
import type { Target } from './target.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

export interface ComparisonOptions {
  readonly rounds: number
  /** The milliseconds of each figure in each round. */
  readonly sliceMs: number
  /** The warm-up of each server ends after so many flows, or after this time. */
  readonly warmUpFlows: number
  readonly warmUpMs: number
  readonly inFlight: number
  /** Another installed checkout of this project, whose service is measured too. */
  readonly beside?: string
  readonly peers: readonly Peer[]
  /** The figures of the service; its peers have a flow and an exchange. */
  readonly figures: readonly Figure[]
  readonly isPaced: boolean
  readonly size: InstallationSize
}

interface Contender {
  readonly name: string
  readonly pid: number
  readonly load: Worker<LoadJob, LoadResult>
  readonly idleMegabytes: number | undefined
  readonly figures: readonly Figure[]
  readonly end: () => Promise<void>
}

/** The flows of the warm-up: the compiler of Node.js needs so many until nothing changes. */
export const WARM_FLOWS = 15_000

const PEER_FIGURES: readonly Figure[] = ['flow', 'token']
const SETTLE_MS = 1500
const SIGNING_MS = 150
/**
 * The server is quiet below this share. After its load it still works, on audit chains or on memory; that
 * belongs to the load.
 */
const QUIET_SHARE = 0.05
const QUIET_EVERY_MS = 100
const MAX_QUIET_MS = 1500

export const measureComparison = (options: ComparisonOptions): Promise<ComparisonResult> =>
  inTemporaryDirectory((directory) => measureIn(directory, options))

async function measureIn(directory: string, options: ComparisonOptions): Promise<ComparisonResult> {
  const signer = startWorker<SigningJob, SigningResult>('signing-worker.ts')
  const contenders: Contender[] = []
  try {
    const { contender, firstStart } = await startServiceContender(directory, options)
    contenders.push(contender)
    if (options.beside) {
      const { contender: other } = await startServiceContender(directory, options, options.beside)
      contenders.push({ ...other, figures: await figuresThatItHas(other) })
    }
    for (const peer of options.peers) {
      const { target, pid, end } = await startPeer(peer, directory)
      const figures = [...PEER_FIGURES, ...(peer.figures ?? [])]
      const parts = { name: peer.name, figures, end: async () => end() }
      contenders.push(await connect({ ...parts, pid }, target))
    }
    for (const { name, load } of contenders) {
      say(`warming up ${name}`)
      await warmUp(load, options)
    }
    const rounds = contenders.map((): ContenderRound[] => [])
    const used = contenders.map(() => Number.NaN)
    // The first does not count: it warms up what only the rounds do.
    for (let number = 0; number <= options.rounds; number++) {
      for (const [index, contender] of contenders.entries()) {
        const sliceMs = number === 0 ? options.sliceMs / 2 : options.sliceMs
        // What it worked while the others were measured: audit chains, above all.
        const idleCpu = (cpuMicroseconds(contender.pid) ?? 0) - (used[index] ?? 0)
        const measured = await measureRound(contender, signer, { ...options, sliceMs })
        used[index] = cpuMicroseconds(contender.pid) ?? Number.NaN
        if (number === 0) continue
        const round = { ...measured, idleCpu }
        rounds[index]?.push(round)
        say(`round ${number} of ${options.rounds}: ${describe(contender, round)}`)
      }
    }
    return {
      firstStart,
      contenders: contenders.map(({ name, pid, idleMegabytes }, index) => ({
        name,
        rounds: rounds[index] ?? [],
        idleMegabytes,
        highestMegabytes: highWaterMegabytes(pid),
      })),
    }
  } finally {
    signer.end()
    for (const { load, end } of contenders) {
      load.end()
      await end()
    }
  }
}

/** A compiler works by how often code ran, and a busy machine runs it less often in the same time. */
async function warmUp(
  load: Worker<LoadJob, LoadResult>,
  { inFlight, warmUpMs, warmUpFlows }: ComparisonOptions,
): Promise<void> {
  const end = performance.now() + warmUpMs
  for (let flows = 0; flows < warmUpFlows && performance.now() < end; ) {
    flows += (await load.ask({ kind: 'flow', inFlight, milliseconds: 500 })).count
  }
}

/** An old checkout has no arrival. */
async function figuresThatItHas({ load, figures }: Contender): Promise<readonly Figure[]> {
  const hasArrival = await load.ask({ kind: 'arrival', inFlight: 1, milliseconds: 200 }).then(
    () => true,
    () => false,
  )
  return hasArrival ? figures : figures.filter((figure) => figure !== 'arrival')
}

const say = (text: string) => process.stderr.write(`[comparison] ${text}\n`)

function describe({ name }: Contender, { signatureCpu, figures }: ContenderRound): string {
  const share = signatureCpu / (figures.flow?.cpu ?? Number.NaN)
  return `${name}: a signature is ${share.toFixed(3)} of the processor time of a flow`
}

const SERVICE_NAME = 'Chartside; node:sqlite, full sync'

async function startServiceContender(
  directory: string,
  { size, figures }: ComparisonOptions,
  beside?: string,
) {
  const name = beside ? `${SERVICE_NAME}; ${basename(resolve(beside))}` : SERVICE_NAME
  const stdout = openSync(join(directory, beside ? 'beside.log' : 'service.log'), 'a')
  const dataDir = join(directory, beside ? 'beside' : 'data')
  const entry = beside && join(resolve(beside), 'packages/server/src/main.mjs')
  const start = {
    ...{ dataDir, stdout, environment: serviceEnvironment() },
    ...(entry ? { command: [process.execPath, ...SERVICE_FLAGS, entry] } : {}),
  }
  const first = await startService(start)
  await sleep(SETTLE_MS)
  const firstStart = { idle: residentMegabytes(first.pid), highest: highWaterMegabytes(first.pid) }
  await first.end()
  const service = await startService(start)
  await sleep(SETTLE_MS)
  const idleMegabytes = residentMegabytes(service.pid)
  const people = await setUpPractices(service.baseUrl, ADMIN, size)
  const parts = {
    name,
    pid: service.pid,
    figures,
    end: async () => void (await service.end('SIGTERM')),
  }
  const target = { kind: 'service', port: service.port, people } as const
  const contender = await connect(parts, target)
  return { contender: { ...contender, idleMegabytes }, firstStart }
}

async function connect(
  parts: Omit<Contender, 'load' | 'idleMegabytes'>,
  target: Target,
): Promise<Contender> {
  await sleep(SETTLE_MS)
  const idleMegabytes = residentMegabytes(parts.pid)
  const load = startWorker<LoadJob, LoadResult>('load-worker.ts')
  await load.ask({ kind: 'connect', target })
  return { ...parts, load, idleMegabytes }
}

async function measureRound(
  { pid, load, figures: wanted }: Contender,
  signer: Worker<SigningJob, SigningResult>,
  { sliceMs: milliseconds, inFlight, isPaced }: ComparisonOptions,
): Promise<Omit<ContenderRound, 'idleCpu'>> {
  const sign = () => signer.ask({ kind: 'sync', milliseconds: SIGNING_MS })
  const before = await sign()
  const figures: Partial<Record<Figure, Measured>> = {}
  let launches = 0
  const run = async (figure: Figure, job: LoadJob, each = 1) => {
    const measured = await measure(pid, () => load.ask(job), each)
    if (figure !== 'introspect') launches += measured.count
    figures[figure] = measured
    return measured
  }
  const prepare = (count: number) => load.ask({ kind: 'prepare', inFlight, count })
  let perSecond = 0
  if (wanted.includes('flow')) {
    perSecond = (await run('flow', { kind: 'flow', inFlight, milliseconds })).perSecond
  }
  if (wanted.includes('token')) {
    await prepare(Math.max(10 * inFlight, Math.ceil((perSecond * 1.4 * milliseconds) / 1000)))
    const token = await run('token', { kind: 'token', inFlight })
    if (isPaced) {
      const half = token.perSecond / 2
      await prepare(Math.ceil((half * milliseconds) / 1000))
      const { count, p50Ms, p99Ms } = await load.ask({ kind: 'token', inFlight, perSecond: half })
      launches += count
      figures.token = { ...token, p50Ms, p99Ms }
    }
  }
  if (wanted.includes('arrival')) {
    await run('arrival', { kind: 'arrival', inFlight, milliseconds }, APPS_OF_AN_ARRIVAL)
  }
  if (wanted.includes('introspect')) {
    await run('introspect', { kind: 'introspect', inFlight, milliseconds })
  }
  const { count: verifiedTokens } = await load.ask({ kind: 'verify' })
  const after = await sign()
  return {
    signatureCpu: (before.cpuMicroseconds + after.cpuMicroseconds) / 2,
    signaturesPerSecond: (before.perSecond + after.perSecond) / 2,
    figures,
    launches,
    verifiedTokens,
  }
}

/** `each`: how many launches one operation has. */
async function measure(
  pid: number,
  work: () => Promise<LoadResult>,
  each: number,
): Promise<Measured> {
  const before = cpuMicroseconds(pid) ?? Number.NaN
  const { count, perSecond } = await work()
  const atEnd = cpuMicroseconds(pid) ?? Number.NaN
  const after = await whenQuiet(pid)
  return {
    count: count * each,
    perSecond: perSecond * each,
    cpu: (after - before) / (count * each),
    laterCpu: (after - atEnd) / (count * each),
  }
}

async function whenQuiet(pid: number): Promise<number> {
  let last = cpuMicroseconds(pid) ?? Number.NaN
  for (let waited = 0; waited < MAX_QUIET_MS; waited += QUIET_EVERY_MS) {
    await sleep(QUIET_EVERY_MS)
    const now = cpuMicroseconds(pid) ?? Number.NaN
    if (now - last < QUIET_SHARE * QUIET_EVERY_MS * 1000) return now
    last = now
  }
  return last
}

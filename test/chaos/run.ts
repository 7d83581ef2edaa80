// One chaos run: database, nodes, balancer; load while the schedule runs; verification; verdicts. Stops
// every process however it ends. Owns the order of the steps, and no step itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../process/service-process.ts'
import { type Practice, setUpPractice } from '../process/story-verbs.ts'
import { type ActionContext, applyPlan } from './actions.ts'
import { openCaller } from './caller.ts'
import { startCluster } from './cluster.ts'
import { type ChaosDatabase, startDatabase } from './database.ts'
import { emptyFacts, type Facts } from './facts.ts'
import { type Fault, trackFaults } from './faults.ts'
import { type LoadContext, runFlow } from './flow.ts'
import { type LoadCounts, startLoad } from './load.ts'
import type { ChaosOptions } from './options.ts'
import { openRelyingParty } from './relying-party.ts'
import { planSchedule } from './schedule.ts'
import { openStreams, type StreamReport } from './streams.ts'
import { decideVerdicts, type Verdict } from './verdict.ts'
import { type Findings, verify } from './verify.ts'

export interface ChaosReport {
  readonly options: ChaosOptions
  readonly events: readonly string[]
  readonly load: LoadCounts
  readonly calls: { readonly requests: number; readonly unavailable: number; readonly cut: number }
  readonly faults: readonly Fault[]
  readonly facts: Facts
  readonly findings: Findings
  /** Processor time of this process, which is the load generator, over elapsed time. */
  readonly generatorShare: number
  /** Fetches of the key set by the relying party. */
  readonly keyFetches: number
  /** In the scenario `streams`. */
  readonly streams: StreamReport | undefined
  readonly verdicts: readonly Verdict[]
  /** The end of the output of the nodes. */
  readonly lastOutput: string
}

export interface Listener {
  event(text: string): void
  /** Once a second. */
  progress(seconds: number, inFlight: number, counts: LoadCounts): void
}

const WARM_UP_IN_FLIGHT = 16
const NEW_KEY_TRIES = 60

export async function runChaos(
  options: ChaosOptions,
  listener: Listener,
  interruption: AbortSignal,
): Promise<ChaosReport> {
  await using cleanUps = new AsyncDisposableStack()
  const keep = <T>(thing: T, stop: (thing: T) => Promise<void> | void): T => {
    cleanUps.defer(async () => stop(thing))
    return thing
  }
  const interrupted = Promise.withResolvers<never>()
  interruption.addEventListener('abort', () => interrupted.reject(interruption.reason))
  return await Promise.race([run(options, listener, keep), interrupted.promise])
}

type Keep = <T>(thing: T, stop: (thing: T) => Promise<void> | void) => T

async function run(options: ChaosOptions, listener: Listener, keep: Keep): Promise<ChaosReport> {
  const database = keep(await startDatabase(options), (it) => it.stop())
  const cluster = keep(await startCluster(options.nodes, database.url), (it) => it.stop())
  const { baseUrl } = cluster
  const practice = { ...(await setUpConcerned(cluster.nodeUrls[0] ?? '', database)), baseUrl }
  const caller = keep(openCaller(cluster.port), (it) => it.close())
  const relyingParty = openRelyingParty(baseUrl)
  const loadContext: LoadContext = { caller, relyingParty, facts: emptyFacts(), practice }
  const { facts } = loadContext

  const events: string[] = []
  let began = performance.now()
  const elapsedMs = () => performance.now() - began
  const log = (event: string) => {
    const line = `${(elapsedMs() / 1000).toFixed(1).padStart(5)} s  ${event}`
    events.push(line)
    listener.event(line)
  }
  await warmUp(loadContext, options.warmUpSeconds)
  const warm = facts.flows.length
  log(
    `warm: ${warm} launches, ${Math.round((warm / elapsedMs()) * 1000)}/s, ${WARM_UP_IN_FLIGHT} in flight`,
  )
  const withoutStreams = cluster.memory()
  const streams =
    options.scenario === 'streams'
      ? keep(await openStreams(baseUrl, options.streams), (it) => it.close())
      : undefined
  if (streams) {
    const memory = `${formatMemory(cluster.memory())}, before them ${formatMemory(withoutStreams)}`
    log(`${streams.count} event streams are open; memory of the nodes ${memory}`)
  }
  began = performance.now()
  const cpu = process.cpuUsage()
  const tracker = trackFaults()
  const load = keep(startLoad(loadContext, tracker, options.rate, options.seed), async (it) =>
    it.stopStarting(),
  )
  const running = { load, tracker, streams, elapsedMs, log }
  const context: ActionContext = { cluster, database, loadContext, ...running }
  const progress = setInterval(() => {
    listener.progress(Math.round(elapsedMs() / 1000), load.inFlight().length, load.counts)
  }, 1000)
  keep(progress, (it) => clearInterval(it))

  const notCarriedOut: string[] = []
  const scheduled = planSchedule(options).map(async ({ atMs, action }) => {
    try {
      await sleep(atMs)
      await applyPlan(context, action)
    } catch (error) {
      notCarriedOut.push(`${action.kind}: ${error instanceof Error ? error.message : error}`)
    }
  })
  await sleep(options.seconds * 1000)
  load.stopStarting()
  await Promise.all(scheduled)
  const unended = await load.stop()
  clearInterval(progress)
  const streamReport = await streams?.finish()
  if (streams)
    log(`every EHR session is over; memory of the nodes ${formatMemory(cluster.memory())}`)
  const { user, system } = process.cpuUsage(cpu)
  const generatorShare = (user + system) / 1000 / elapsedMs()
  for (let i = 0; facts.lastOfKey.size < 2 && i < NEW_KEY_TRIES; i++) {
    await sleep(500)
    await runFlow(loadContext, 'plain')
  }
  if (facts.lastOfKey.size < 2) notCarriedOut.push('key: the new key never signed')
  log('the load is over; verifying')

  const findings = await verify({
    loadContext,
    nodeUrls: cluster.nodeUrls,
    baseUrl,
    httpChecks: options.httpChecks,
    rows: database.rows,
  })
  const { faults, unexplained } = tracker
  const verdicts = decideVerdicts({
    facts,
    findings,
    faults,
    unexplained,
    streams: streamReport,
    load: load.counts,
    floorPercent: options.floorPercent,
    unended,
    notCarriedOut,
  })
  log('verified')
  return {
    options,
    events,
    load: load.counts,
    calls: caller.counts,
    faults,
    facts,
    findings,
    generatorShare,
    keyFetches: relyingParty.counts.fetches,
    streams: streamReport,
    verdicts,
    lastOutput: cluster.lastOutput(),
  }
}

async function setUpConcerned(nodeUrl: string, database: ChaosDatabase): Promise<Practice> {
  for (;;) {
    const practice = await setUpPractice(nodeUrl, ADMIN)
    if (await database.concerns(practice.accountId)) return practice
  }
}

const formatMemory = (megabytes: readonly number[]) => `${megabytes.join(', ')} MB`

async function warmUp(loadContext: LoadContext, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  const lane = async () => {
    do await runFlow(loadContext, 'plain')
    while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: WARM_UP_IN_FLIGHT }, lane))
}

// One chaos run from start to end: database, nodes, balancer; load while the schedule is carried
// out; verification; verdicts. Cleans everything up however it ends. Owns the order of these, and
// none of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../process/service-process.ts'
import { setUpPractice } from '../process/story-verbs.ts'
import { openCaller } from './caller.ts'
import { startCluster } from './cluster.ts'
import { startDatabase } from './database.ts'
import { type Facts, noFacts } from './facts.ts'
import { type Fault, openFaultBook } from './faults.ts'
import { runFlow, type World } from './flow.ts'
import { applyPlan, type Stage } from './happenings.ts'
import { type LoadCounts, startLoad } from './load.ts'
import type { ChaosOptions } from './options.ts'
import { openRelyingParty } from './relying-party.ts'
import { planSchedule } from './schedule.ts'
import { judge, type Verdict } from './verdict.ts'
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
  /** How often the relying party fetched the keys. */
  readonly keyFetches: number
  readonly verdicts: readonly Verdict[]
  /** The end of what the nodes printed. */
  readonly lastWords: string
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
  return await Promise.race([conduct(options, listener, keep), interrupted.promise])
}

type Keep = <T>(thing: T, stop: (thing: T) => Promise<void> | void) => T

async function conduct(
  options: ChaosOptions,
  listener: Listener,
  keep: Keep,
): Promise<ChaosReport> {
  const database = keep(await startDatabase(options.scenario), (it) => it.stop())
  const cluster = keep(await startCluster(options.nodes, database.url), (it) => it.stop())
  const { baseUrl } = cluster
  const practice = { ...(await setUpPractice(cluster.nodeUrls[0] ?? '', ADMIN)), baseUrl }
  const caller = keep(openCaller(cluster.port), (it) => it.close())
  const relyingParty = openRelyingParty(baseUrl)
  const world: World = { caller, relyingParty, facts: noFacts(), practice }
  const { facts } = world

  const events: string[] = []
  let began = performance.now()
  const elapsedMs = () => performance.now() - began
  const tell = (event: string) => {
    const line = `${(elapsedMs() / 1000).toFixed(1).padStart(5)} s  ${event}`
    events.push(line)
    listener.event(line)
  }
  await warmUp(world, options.warmUpSeconds)
  const warm = facts.flows.length
  tell(
    `warm: ${warm} launches, ${Math.round((warm / elapsedMs()) * 1000)}/s, ${WARM_UP_IN_FLIGHT} in flight`,
  )
  began = performance.now()
  const cpu = process.cpuUsage()
  const book = openFaultBook()
  const load = keep(startLoad(world, book, options.rate, options.seed), async (it) => it.halt())
  const stage: Stage = { cluster, database, world, load, book, elapsedMs, tell }
  const progress = setInterval(() => {
    listener.progress(Math.round(elapsedMs() / 1000), load.inFlight().length, load.counts)
  }, 1000)
  keep(progress, (it) => clearInterval(it))

  const notDone: string[] = []
  const scheduled = planSchedule(options).map(async ({ atMs, happening }) => {
    try {
      await sleep(atMs)
      await applyPlan(stage, happening)
    } catch (error) {
      notDone.push(`${happening.kind}: ${error instanceof Error ? error.message : error}`)
    }
  })
  await sleep(options.seconds * 1000)
  load.halt()
  await Promise.all(scheduled)
  const neverEnded = await load.stop()
  clearInterval(progress)
  const { user, system } = process.cpuUsage(cpu)
  const generatorShare = (user + system) / 1000 / elapsedMs()
  for (let i = 0; facts.lastOfKey.size < 2 && i < NEW_KEY_TRIES; i++) {
    await sleep(500)
    await runFlow(world, 'plain')
  }
  if (facts.lastOfKey.size < 2) notDone.push('key: the new key never signed')
  tell('the load is over; verifying')

  const findings = await verify({ world, nodeUrls: cluster.nodeUrls, baseUrl, rows: database.rows })
  const { faults, unexplained } = book
  const verdicts = judge({ facts, findings, faults, unexplained, neverEnded, notDone })
  tell('verified')
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
    verdicts,
    lastWords: cluster.lastWords(),
  }
}

async function warmUp(world: World, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  const lane = async () => {
    do await runFlow(world, 'plain')
    while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: WARM_UP_IN_FLIGHT }, lane))
}

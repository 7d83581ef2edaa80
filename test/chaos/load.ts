// The load of a run: launch flows that start at a steady rate, whether or not earlier ones have
// ended, and a few app registrations. Counts the flows in flight, and reports whether the rate was
// reached. flow.ts has the requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { seededNumbers } from '../process/launch-load.ts'
import type { FlowKind } from './facts.ts'
import type { FaultTracker } from './faults.ts'
import { FlowFailed, type LoadContext, runFlow } from './flow.ts'
import { registerUnderLoad } from './registrations.ts'

export interface LoadCounts {
  /** Flows due at this rate, and those not started because too many were in flight. */
  offered: number
  notStarted: number
  started: number
  completed: number
  failed: number
  /** Failed flows by step and cause. */
  readonly failures: Record<string, number>
  /** The longest delay of a start: the slowness of the generator itself. */
  latestStartMs: number
  readonly latenciesMs: number[]
}

export interface Load {
  readonly counts: LoadCounts
  /** The flows in flight now. */
  inFlight(): readonly object[]
  /** Resolves when a flow completes that is in flight now or begins later. */
  nextCompleted(): Promise<void>
  /** Resolves when every flow that is in flight now has ended. */
  settle(): Promise<void>
  /** Starts no further flow. */
  stopStarting(): void
  /** Waits for the flows in flight; gives how many did not end in time. */
  stop(): Promise<number>
}

const TICK_MS = 2
/** With more load than this in flight, the generator starts no flow. */
const MAX_SECONDS_IN_FLIGHT = 15
const TIMEOUT_MS = 60_000
const REGISTRATIONS_EVERY_MS = 500

/** Of a hundred flows, on average; the others are plain. */
const SHARES: readonly [FlowKind, number][] = [
  ['raced', 5],
  ['revoked', 8],
  ['unredeemed', 5],
]

export function startLoad(
  loadContext: LoadContext,
  tracker: FaultTracker,
  perSecond: number,
  seed: number,
): Load {
  const random = seededNumbers(seed)
  const loadBegan = performance.now()
  let completed = Promise.withResolvers<void>()
  const inFlight = new Map<object, Promise<void>>()
  const maxInFlight = perSecond * MAX_SECONDS_IN_FLIGHT
  const failures: Record<string, number> = {}
  const counts: LoadCounts = {
    offered: 0,
    notStarted: 0,
    started: 0,
    completed: 0,
    failed: 0,
    failures,
    latestStartMs: 0,
    latenciesMs: [],
  }

  async function run(flow: object, kind: FlowKind): Promise<void> {
    const began = performance.now()
    try {
      await runFlow(loadContext, kind)
      counts.completed += 1
      completed.resolve()
      completed = Promise.withResolvers<void>()
      counts.latenciesMs.push(performance.now() - began)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (!(error instanceof FlowFailed)) loadContext.facts.unexpectedAnswers.push(why)
      counts.failed += 1
      failures[why] = (failures[why] ?? 0) + 1
      const at = `${((performance.now() - loadBegan) / 1000).toFixed(1)} s after the start`
      const evidence = error instanceof FlowFailed && error.evidence ? `; ${error.evidence}` : ''
      tracker.failed(flow, `${why} (${at}${evidence})`)
    } finally {
      inFlight.delete(flow)
    }
  }

  function startOne(): void {
    if (inFlight.size >= maxInFlight) {
      counts.notStarted += 1
      return
    }
    const flow = {}
    counts.started += 1
    tracker.started(flow)
    inFlight.set(flow, run(flow, kindOf(random())))
  }

  const pace = setInterval(() => {
    const elapsed = performance.now() - loadBegan
    const due = Math.floor((elapsed / 1000) * perSecond)
    if (counts.offered < due) {
      const lateMs = elapsed - ((counts.offered + 1) / perSecond) * 1000
      counts.latestStartMs = Math.max(counts.latestStartMs, lateMs)
    }
    for (; counts.offered < due; counts.offered++) startOne()
  }, TICK_MS)
  const registering = setInterval(
    () => void registerUnderLoad(loadContext, random() < 0.5),
    REGISTRATIONS_EVERY_MS,
  )

  const settle = async () => {
    await Promise.all(inFlight.values())
  }
  const stopStarting = () => {
    clearInterval(pace)
    clearInterval(registering)
  }
  return {
    counts,
    inFlight: () => [...inFlight.keys()],
    nextCompleted: () => completed.promise,
    settle,
    stopStarting,
    async stop() {
      stopStarting()
      const timeout = new AbortController()
      const expired = sleep(TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => {})
      await Promise.race([settle(), expired])
      timeout.abort()
      return inFlight.size
    },
  }
}

function kindOf(number: number): FlowKind {
  let percent = number * 100
  for (const [kind, share] of SHARES) {
    if (percent < share) return kind
    percent -= share
  }
  return 'plain'
}

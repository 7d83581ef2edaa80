// The load of a run: launch flows that start at a steady pace, whether or not earlier ones have
// ended, and a trickle of app registrations. Knows which flows are in flight at any moment, and
// whether the pace was held. What a flow does is in flow.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { seededNumbers } from '../process/launch-load.ts'
import type { FlowKind } from './facts.ts'
import type { FaultBook } from './faults.ts'
import { FlowFailed, runFlow, type World } from './flow.ts'
import { registerUnderLoad } from './registrations.ts'

export interface LoadCounts {
  /** What the pace asked for, and how much of it was not started because too much was in flight. */
  offered: number
  heldBack: number
  started: number
  completed: number
  failed: number
  /** Failed flows by step and cause. */
  readonly failures: Record<string, number>
  /** Longest delay between the moment a flow was due and its start: the generator's own slowness. */
  latestStartMs: number
  readonly latenciesMs: number[]
}

export interface Load {
  readonly counts: LoadCounts
  /** The flows in flight at this moment. */
  inFlight(): readonly object[]
  /** Resolves when a flow completes that is in flight now or begins later. */
  nextCompleted(): Promise<void>
  /** Resolves when every flow that is in flight now has ended. */
  settle(): Promise<void>
  /** Starts no more. */
  halt(): void
  /** Starts no more, and waits for those in flight; gives how many never ended. */
  stop(): Promise<number>
}

const TICK_MS = 2
/** So much of the offered load may be in flight before the generator holds back, in seconds. */
const MAX_SECONDS_IN_FLIGHT = 15
const PATIENCE_MS = 60_000
const REGISTRATIONS_EVERY_MS = 500

/** What a hundred flows do, on average. */
const SHARES: readonly [FlowKind, number][] = [
  ['raced', 5],
  ['revoked', 5],
  ['held', 2],
]

export function startLoad(world: World, book: FaultBook, perSecond: number, seed: number): Load {
  const random = seededNumbers(seed)
  let completed = Promise.withResolvers<void>()
  const inFlight = new Map<object, Promise<void>>()
  const most = perSecond * MAX_SECONDS_IN_FLIGHT
  const failures: Record<string, number> = {}
  const counts: LoadCounts = {
    offered: 0,
    heldBack: 0,
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
      await runFlow(world, kind)
      counts.completed += 1
      completed.resolve()
      completed = Promise.withResolvers<void>()
      counts.latenciesMs.push(performance.now() - began)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (!(error instanceof FlowFailed)) world.facts.surprises.push(why)
      counts.failed += 1
      failures[why] = (failures[why] ?? 0) + 1
      book.failed(flow, why)
    } finally {
      inFlight.delete(flow)
    }
  }

  function startOne(): void {
    if (inFlight.size >= most) {
      counts.heldBack += 1
      return
    }
    const flow = {}
    counts.started += 1
    book.started(flow)
    inFlight.set(flow, run(flow, kindOf(random())))
  }

  const began = performance.now()
  const pace = setInterval(() => {
    const elapsed = performance.now() - began
    const due = Math.floor((elapsed / 1000) * perSecond)
    if (counts.offered < due) {
      const lateMs = elapsed - ((counts.offered + 1) / perSecond) * 1000
      counts.latestStartMs = Math.max(counts.latestStartMs, lateMs)
    }
    for (; counts.offered < due; counts.offered++) startOne()
  }, TICK_MS)
  const registering = setInterval(
    () => void registerUnderLoad(world, random() < 0.5),
    REGISTRATIONS_EVERY_MS,
  )

  const settle = async () => {
    await Promise.all(inFlight.values())
  }
  const halt = () => {
    clearInterval(pace)
    clearInterval(registering)
  }
  return {
    counts,
    inFlight: () => [...inFlight.keys()],
    nextCompleted: () => completed.promise,
    settle,
    halt,
    async stop() {
      halt()
      const patience = new AbortController()
      const tired = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([settle(), tired])
      patience.abort()
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

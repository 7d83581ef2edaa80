// The messages between the benchmark and its worker processes: the job, the result, and how a worker
// is started. Measures nothing.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DayTimes } from './clinic-day.ts'
import type { Provider, Target } from './target.ts'
import type { VisitCounts } from './visits.ts'

export type LoadJob =
  | { readonly kind: 'connect'; readonly target: Target }
  /** Makes codes for the next `token` job; not measured. */
  | { readonly kind: 'prepare'; readonly inFlight: number; readonly count: number }
  /** Exchanges every prepared code; at a steady pace when `perSecond` is given. */
  | { readonly kind: 'token'; readonly inFlight: number; readonly perSecond?: number }
  | {
      readonly kind: 'flow' | 'arrival' | 'introspect' | 'jwks'
      readonly inFlight: number
      readonly milliseconds: number
    }
  /** Verifies the ID tokens that were kept since the last such job; `count` is how many. */
  | { readonly kind: 'verify' }

export interface LoadResult extends Percentiles {
  readonly count: number
  readonly perSecond: number
  /** The processor time of the load generator over elapsed time; near 1 it is itself the limit. */
  readonly generatorShare: number
}

export type DayJob =
  | {
      readonly kind: 'connect'
      readonly port: number
      readonly people: readonly Provider[]
      readonly times: DayTimes
      readonly seed: number
    }
  /** A part of the day: who arrives when, in ms after its begin. */
  | { readonly kind: 'play'; readonly milliseconds: number; readonly arrivals: readonly number[] }
  /** Closes what is open, and waits until the pages that were left open have ended by themselves. */
  | { readonly kind: 'close' }

export const DAY_STEPS = ['sign-in', 'launch', 'authorize', 'token', 'introspection'] as const
export type DayStep = (typeof DAY_STEPS)[number]

export interface PlayedPart {
  /** Arrivals that were done within two seconds. */
  readonly inTime: number
  readonly steps: Readonly<Partial<Record<DayStep, Percentiles>>>
  readonly openPages: number
  readonly counts: Readonly<VisitCounts>
}

export interface Percentiles {
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface SigningJob {
  readonly kind: 'sync' | 'async'
  readonly milliseconds: number
}

export interface SigningResult {
  readonly perSecond: number
  /** The processor time of one signature; µs. */
  readonly cpuMicroseconds: number
}

type Reply<Result> = { readonly result: Result } | { readonly failure: string }

export interface Worker<Job, Result> {
  ask(job: Job): Promise<Result>
  end(): void
}

/** Starts a worker file of this folder; `prefix` goes before the command, such as `taskset -c 1`. */
export function startWorker<Job extends object, Result>(
  file: string,
  prefix: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Worker<Job, Result> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', path]
  const [command = '', ...args] = [...prefix, ...node]
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  })
  let waiting: PromiseWithResolvers<Result> | undefined
  child.on('message', (reply: Reply<Result>) => {
    if ('failure' in reply) waiting?.reject(new Error(reply.failure))
    else waiting?.resolve(reply.result)
  })
  child.on('error', (error) => waiting?.reject(error))
  child.on('exit', () => waiting?.reject(new Error(`${file} ended before it answered`)))
  return {
    ask(job) {
      waiting = Promise.withResolvers<Result>()
      child.send(job)
      return waiting.promise
    },
    end: () => child.disconnect(),
  }
}

/** Answers, in the worker, each job in order, and ends with its parent. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job) => {
    work(job as Job).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ failure: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}

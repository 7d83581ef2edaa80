// Runs the background jobs of a node: each in a loop of its own, with its interval. A failure is logged
// once and the job runs again. Owns the intervals and no rule of any job.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnavailable } from '../db/database.ts'

export interface BackgroundJob {
  readonly name: string
  readonly everyMs: number
  /** It deletes what has expired, so it does not run on a node whose clock is in doubt. */
  readonly deletes?: true
  /** Returns the milliseconds until the next run, when not `everyMs`. */
  run(signal: AbortSignal): Promise<number | undefined>
}

/** A job that the clock held back is looked at again after this time. */
const HELD_MS = 1000

export interface JobRunner {
  /** Resolves when no job runs any more. */
  stop(): Promise<void>
}

export function startJobRunner(
  jobs: readonly BackgroundJob[],
  log: FastifyBaseLogger,
  mayDelete: () => boolean,
): JobRunner {
  const abort = new AbortController()
  const { signal } = abort

  async function repeat(job: BackgroundJob): Promise<void> {
    let hasFailed = false
    while (!signal.aborted) {
      let pauseMs = job.everyMs
      try {
        const isHeld = job.deletes === true && !mayDelete()
        pauseMs = isHeld ? HELD_MS : ((await job.run(signal)) ?? job.everyMs)
        hasFailed = false
      } catch (error) {
        if (signal.aborted) return
        // While the database is unavailable readiness logs it, once for all jobs.
        if (!hasFailed && !(error instanceof DatabaseUnavailable)) {
          log.error({ job: job.name, err: error }, 'background job failed; it runs again')
        }
        hasFailed = true
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const running = jobs.map(repeat)
  return {
    async stop() {
      abort.abort()
      await Promise.all(running)
    },
  }
}

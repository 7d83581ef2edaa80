// What a node does when nobody asks: keeps its copies fresh, tends the keys, sweeps, hears the news of
// other nodes. Runs each duty by itself, again and again; a failure is logged once and tried again.
// Owns the rhythm and no rule.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnavailable } from '../db/database.ts'

export interface BackgroundJob {
  readonly name: string
  readonly everyMs: number
  /** Gives the milliseconds until it wants to run again, when not `everyMs`. */
  run(signal: AbortSignal): Promise<number | undefined>
}

export interface JobRunner {
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>
}

export function startJobRunner(
  duties: readonly BackgroundJob[],
  log: FastifyBaseLogger,
): JobRunner {
  const abort = new AbortController()
  const { signal } = abort

  async function keep(duty: BackgroundJob): Promise<void> {
    let hasFailed = false
    while (!signal.aborted) {
      let pauseMs = duty.everyMs
      try {
        pauseMs = (await duty.run(signal)) ?? duty.everyMs
        hasFailed = false
      } catch (error) {
        if (signal.aborted) return
        // While the database is away readiness tells it, once for all duties.
        if (!hasFailed && !(error instanceof DatabaseUnavailable)) {
          log.error({ duty: duty.name, err: error }, 'upkeep failed; it is tried again')
        }
        hasFailed = true
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const running = duties.map(keep)
  return {
    async stop() {
      abort.abort()
      await Promise.all(running)
    },
  }
}

// Supervises the workers of one port: the first starts alone, so that one migrates and makes the first keys;
// one that ends is started again with a growing delay; a signal goes to all, and the supervisor ends when the
// last has ended. Node.js hands each connection to the next worker. Opens no database.

import cluster, { type Worker } from 'node:cluster'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../kernel/randomness.ts'

/** The environment of a worker has its number here, from 1; a worker that is started again keeps it. */
export const WORKER_NUMBER = 'WORKER_NUMBER'

interface Slot {
  readonly number: number
  worker: Worker | undefined
  failures: number
  restart: NodeJS.Timeout | undefined
}

/** Starts `count` workers of this program and ends the process with them. */
export function superviseWorkers(
  count: number,
  monotonic: Clock,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): void {
  const slots = Array.from(
    { length: count },
    (_, index): Slot => ({
      number: index + 1,
      worker: undefined,
      failures: 0,
      restart: undefined,
    }),
  )
  let hasServed = false
  let isStopping = false
  let exitCode = 0

  function start(slot: Slot): void {
    const startedAt = monotonic()
    const worker = cluster.fork({ [WORKER_NUMBER]: String(slot.number) })
    slot.worker = worker
    slot.restart = undefined
    worker.once('listening', () => {
      log.info({ worker: slot.number, pid: worker.process.pid }, 'a worker serves')
      if (hasServed) return
      hasServed = true
      for (const other of slots) if (other !== slot && !isStopping) start(other)
    })
    worker.once('exit', (code, signal) => {
      slot.worker = undefined
      if (isStopping) {
        exitCode ||= code
        endWhenEmpty()
      } else if (!hasServed) {
        // It has said why.
        process.exit(code || 1)
      } else {
        const { delayMs, failures } = planRestart(slot.failures, monotonic() - startedAt)
        slot.failures = failures
        slot.restart = setTimeout(start, delayMs, slot)
        const facts = { worker: slot.number, code, signal: signal ?? undefined, delayMs }
        log.error(facts, 'a worker has ended and is started again')
      }
    })
  }

  function endWhenEmpty(): void {
    if (slots.every(({ worker }) => worker === undefined)) process.exit(exitCode)
  }

  function stop(signal: NodeJS.Signals): void {
    if (!isStopping) log.info({ signal, workers: count }, 'stopping all workers')
    isStopping = true
    for (const { worker, restart } of slots) {
      clearTimeout(restart)
      worker?.process.kill(signal)
    }
    endWhenEmpty()
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    for (const { worker } of slots) worker?.process.kill('SIGHUP')
  })
  const [first] = slots
  if (first) start(first)
}

const FIRST_MS = 250
const MAX_MS = 30_000
/** A worker that ran so long had no fault at its start. */
const STABLE_AFTER_MS = 60_000

interface RestartPlan {
  readonly delayMs: number
  /** Ends one after the other without a stable run between them. */
  readonly failures: number
}

export function planRestart(failuresBefore: number, ranMs: number): RestartPlan {
  const failures = ranMs >= STABLE_AFTER_MS ? 1 : failuresBefore + 1
  return { failures, delayMs: Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1)) }
}

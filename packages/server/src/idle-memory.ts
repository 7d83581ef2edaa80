// Hands memory back to the system while the process has nothing to do. V8 keeps the young generation at the
// size that a start or a burst of requests gave it, and frees little by itself on a node that stays idle.
// Owns when that is worth a pause; knows nothing of the service.
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 500
/** Of a look; background jobs keep an idle node busy for two thousandths of the time. */
const IDLE_UTILIZATION = 0.02
/** After a collection code runs slower until it is compiled again, so a short break between requests is none. */
const IDLE_FOR_MS = 120_000
/** So much work since the last collection leaves enough garbage for another. */
const WORTH_ACTIVE_MS = 2000
/** The pause grows with what is in use: 40 ms for the 14 MB of an idle node. */
const MAX_USED_BYTES = 64 * 1024 * 1024

/** What the event loop did since the last look: both in milliseconds. */
export interface Look {
  readonly active: number
  readonly idle: number
}

/** Says at each look whether to collect: at the first quiet moment after the start, and after work once a long break began. */
export function idleRule(): (look: Look) => boolean {
  let isStart = true
  let activeMs = 0
  let idleMs = 0
  return ({ active, idle }) => {
    activeMs += active
    const isIdle = active <= IDLE_UTILIZATION * (active + idle)
    idleMs = isIdle ? idleMs + active + idle : 0
    const isDue = isStart ? isIdle : idleMs >= IDLE_FOR_MS && activeMs >= WORTH_ACTIVE_MS
    if (!isDue) return false
    isStart = false
    activeMs = 0
    return true
  }
}

/** Looks twice a second for as long as the process runs; keeps it alive for nothing. */
export function handBackIdleMemory(): void {
  const isDue = idleRule()
  const collect = findCollector()
  let last = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const look = performance.eventLoopUtilization(now, last)
    last = now
    if (isDue(look) && getHeapStatistics().used_heap_size <= MAX_USED_BYTES) collect()
  }, LOOK_EVERY_MS).unref()
}

/**
 * V8's own function for it, which Node.js gives no other way. The last resort is the one flavour that makes the
 * young generation smaller and returns free pages.
 */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: (options: object) => void = runInNewContext('gc')
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

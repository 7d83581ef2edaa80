// Who may work now: so many requests at a time, the others in a line, in order, for a second at
// most. Without it every request of an overload would wait in every one of its statements, and the
// few that end would end late; with it what is admitted ends soon, and the rest is told to come
// back. Knows no route. Security F07.
import { DatabaseUnavailable } from '../../db/database.ts'

/**
 * Runs the work when its turn comes. Work that goes on with a request which had a turn before comes
 * first and is never turned away, or the first turn would have been for nothing.
 * @throws DatabaseUnavailable when there is no room, or no turn in time.
 */
export type RunLimited = <T>(work: () => Promise<T>, begins?: 'begins' | 'goes on') => Promise<T>

export interface ConcurrencyLimits {
  readonly atWork: number
  readonly waiting: number
  readonly waitMs: number
}

/**
 * Three for each connection of a PostgreSQL pool, so that none of its statements waits for long; the
 * embedded database commits as many in one go.
 */
export const CONCURRENCY_LIMITS: ConcurrencyLimits = { atWork: 32, waiting: 1000, waitMs: 1000 }

export function concurrencyLimiter({ atWork, waiting, waitMs }: ConcurrencyLimits): RunLimited {
  let working = 0
  /** In the order in which they came; a Set lets anybody step out of the middle. */
  const line = new Set<() => void>()
  const goingOn: (() => void)[] = []

  function waitForTurn(): Promise<void> {
    if (line.size >= waiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.delete(goIn)
        reject(busy())
      }, waitMs)
      const goIn = () => {
        clearTimeout(timer)
        resolve()
      }
      line.add(goIn)
    })
  }

  /** The place is handed on, not given back, so nobody can slip in between. */
  function leave(): void {
    const next = goingOn.shift() ?? line.values().next().value
    if (!next) working -= 1
    else {
      line.delete(next)
      next()
    }
  }

  return async (work, begins = 'begins') => {
    if (working < atWork) working += 1
    else if (begins === 'begins') await waitForTurn()
    else await new Promise<void>((resolve) => goingOn.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

const busy = () => new DatabaseUnavailable(new Error('more requests than can be worked on'), 'busy')

// The event-loop throttle: begins a few works in each iteration of the event loop. A thousand password guesses that
// arrive at once would otherwise run in one iteration and delay every exchange and launch by their sum; and an
// iteration accepts one new connection only, so long iterations keep new callers out. A work that arrives alone does
// not wait. Under a lasting overload it turns works away at once. Security K04, F07, decisions 25 and 79.

/** A long queue begins this part of itself in an iteration, so that no queue takes long. */
const PART_OF_QUEUE = 1 / 512

/** A burst makes works wait for less than this time; after it the overload counts as lasting. */
const OVERLOAD_AFTER_MS = 1000
/** How long a work may wait while the overload lasts. */
const MAX_WAIT_MS = 50

export interface ThrottleOptions {
  /** How many works begin in an iteration, however few wait. */
  readonly minPerIteration: number
  /** By this clock, in milliseconds, works are turned away under a lasting overload; else each waits. */
  readonly shedsBy?: () => number
}

/** Runs the work at once or in an iteration to come, in order of arrival. False when it never will. */
export type Throttle = (work: () => void) => boolean

export function eventLoopThrottle({ minPerIteration, shedsBy }: ThrottleOptions): Throttle {
  const queue: { readonly work: () => void; readonly arrivedAt: number }[] = []
  let free = minPerIteration
  let isScheduled = false
  /** Since when works wait too long; undefined while the first of the queue has waited less. */
  let lateSince: number | undefined
  /** From a second of lateness until the queue is empty. */
  let isOverloaded = false

  const observe = (at: number) => {
    const [first] = queue
    if (!first) isOverloaded = false
    if (!first || at - first.arrivedAt <= MAX_WAIT_MS) lateSince = undefined
    else {
      lateSince ??= at
      if (at - lateSince >= OVERLOAD_AFTER_MS) isOverloaded = true
    }
  }
  const beginIteration = () => {
    if (shedsBy) observe(shedsBy())
    const begun = queue.splice(
      0,
      Math.max(minPerIteration, Math.ceil(queue.length * PART_OF_QUEUE)),
    )
    free = minPerIteration - begun.length
    isScheduled = begun.length > 0
    if (isScheduled) setImmediate(beginIteration)
    for (const { work } of begun) work()
  }
  return (work) => {
    if (!isScheduled) setImmediate(beginIteration)
    isScheduled = true
    if (free > 0) {
      free -= 1
      work()
      return true
    }
    if (isOverloaded && lateSince !== undefined) return false
    queue.push({ work, arrivedAt: shedsBy?.() ?? 0 })
    return true
  }
}

// The event-loop throttle: begins a few works in each iteration of the event loop. A thousand password
// guesses that arrive at once would otherwise run in one iteration and delay every exchange and launch
// by their sum; and an iteration accepts one new connection only, so long iterations keep new callers
// out. A work that arrives alone does not wait. Knows no request. Security K04, decision 25.

/** A long queue begins this part of itself in an iteration, so that no queue takes long. */
const PART_OF_QUEUE = 1 / 512

/** Runs works in the order in which they arrive: at once, or a few in each iteration. */
export function eventLoopThrottle({
  minPerIteration,
}: {
  /** The number of works that begin in an iteration, however few wait. */
  readonly minPerIteration: number
}): (work: () => void) => void {
  const queue: (() => void)[] = []
  let free = minPerIteration
  let isScheduled = false

  const beginIteration = () => {
    const begun = queue.splice(
      0,
      Math.max(minPerIteration, Math.ceil(queue.length * PART_OF_QUEUE)),
    )
    free = minPerIteration - begun.length
    isScheduled = begun.length > 0
    if (isScheduled) setImmediate(beginIteration)
    for (const work of begun) work()
  }
  return (work) => {
    if (!isScheduled) setImmediate(beginIteration)
    isScheduled = true
    if (free <= 0) {
      queue.push(work)
      return
    }
    free -= 1
    work()
  }
}

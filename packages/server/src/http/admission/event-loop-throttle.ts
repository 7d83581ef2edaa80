// Takes up a crowd in small portions. A thousand guesses at passwords that arrive at once would
// otherwise be worked through in one go before anything else is heard again; in portions, exchanges
// and launches get their turn in between. Who comes alone does not wait. Knows no request.
// Security K04.

/** How many are taken up at once, however few wait. */
const LEAST = 2
/** Of a crowd, a portion is this part: it grows with the crowd, so that no crowd waits for long. */
const PART = 1 / 512

/** Runs works in the order in which they come: at once, or in a portion for each turn of the event loop. */
export function eventLoopThrottle(): (work: () => void) => void {
  const waiting: (() => void)[] = []
  let room = LEAST
  let isTurnAhead = false

  const beginTurn = () => {
    const portion = waiting.splice(0, Math.max(LEAST, Math.ceil(waiting.length * PART)))
    room = LEAST - portion.length
    isTurnAhead = portion.length > 0
    if (isTurnAhead) setImmediate(beginTurn)
    for (const work of portion) work()
  }
  return (work) => {
    if (!isTurnAhead) setImmediate(beginTurn)
    isTurnAhead = true
    if (room <= 0) {
      waiting.push(work)
      return
    }
    room -= 1
    work()
  }
}

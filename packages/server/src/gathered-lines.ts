// The log lines of one iteration of the event loop in one write: under load a system call for each line costs as
// much as the line. A line waits until the iteration ends at most; a warning and all above it wait for nothing, and
// the end of the process writes what waits.

/** As pino begins the line of a level below a warning. */
const CAN_WAIT = /^\{"level":[123]0,/

/** `write` gets one or more whole lines. Never throws by itself. */
export function gatherLines(write: (lines: string) => void): { write(line: string): void } {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  process.once('exit', flush)
  return {
    write(line) {
      const isFirst = waiting === ''
      waiting += line
      if (!CAN_WAIT.test(line)) flush()
      else if (isFirst) setImmediate(flush)
    },
  }
}

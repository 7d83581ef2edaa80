// The log lines of ten milliseconds in one write: under load a system call for each line costs more than the line.
// A warning and all above it wait for nothing, and the end of the process writes what waits.

/** The beginning of a line of pino below the level of a warning. */
const CAN_WAIT = /^\{"level":[123]0,/
const MAX_WAIT_MS = 10

/** Gathers lines for `write`, which gets whole ones. What it throws later, as of a full disk, the next line throws. */
export function gatherLines(write: (lines: string) => void): { write(line: string): void } {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  let failure: { readonly error: unknown } | undefined
  const flushLater = () => {
    try {
      flush()
    } catch (error) {
      // Here it would end the process, and with it the requests that run.
      failure = { error }
    }
  }
  process.once('exit', flushLater)
  return {
    write(line) {
      const known = failure
      failure = undefined
      if (known) throw known.error
      const isFirst = waiting === ''
      waiting += line
      if (!CAN_WAIT.test(line)) flush()
      else if (isFirst) setTimeout(flushLater, MAX_WAIT_MS).unref()
    },
  }
}

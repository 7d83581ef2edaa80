// The log lines of one iteration of the event loop in one write: under load a system call for each line costs as
// much as the line. A line waits until the iteration ends; the end of the process writes what waits.

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
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
  }
}

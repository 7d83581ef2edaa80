// Waits for work, but not for ever: a probe that is late says so, and its caller answers with what it knew before.
// The work goes on.

/** @throws what the work throws in time */
export function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, 'late')
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

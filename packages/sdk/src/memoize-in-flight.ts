// Shares one promise between the calls of init, while it is pending and once it is fulfilled. It
// drops a failure, so that a later call tries again. It drops an aborted start at once, because
// React's development mode cleans an effect up and runs it again without a pause. Contract §5.

export function memoizeInFlight<
  Options extends { readonly signal?: AbortSignal | undefined },
  Outcome,
>(start: (options: Options) => Promise<Outcome>): (options: Options) => Promise<Outcome> {
  let current: Promise<Outcome> | null = null
  return (options) => {
    if (current) return current
    const { signal } = options
    const started = start(options)
    const clear = () => {
      if (current === started) current = null
    }
    current = started
    signal?.addEventListener('abort', clear)
    started.then(() => signal?.removeEventListener('abort', clear), clear)
    return started
  }
}

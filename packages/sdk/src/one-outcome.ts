// One outcome for everybody who asks while it is under way or stands: doubled calls of init share
// a promise. A failure is forgotten, so that a later call tries again; so is a start whose caller
// gave up, at once, because React's development mode cleans an effect up and runs it again without
// a pause. Contract §5; design: interop, "in the frame".

export function shareOutcome<Options extends { readonly signal?: AbortSignal }, Outcome>(
  start: (options: Options) => Promise<Outcome>,
): (options: Options) => Promise<Outcome> {
  let current: Promise<Outcome> | null = null
  return (options) => {
    if (current) return current
    const { signal } = options
    const started = start(options)
    const forget = () => {
      if (current === started) current = null
    }
    current = started
    signal?.addEventListener('abort', forget)
    started.then(() => signal?.removeEventListener('abort', forget), forget)
    return started
  }
}

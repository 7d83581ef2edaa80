// Every wait of the SDK goes through here, so none can last for ever: it ends by what it waits for,
// by the caller's AbortSignal, or by time. Security X07, X08.

export interface Limits {
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/** `start` begins the work; `over` is aborted as soon as the wait has ended, however it did. */
export function waitFor<T>(
  { ms, signal }: Limits,
  timedOut: () => Error,
  start: (
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
    over: AbortSignal,
  ) => void,
): Promise<T> {
  const ending = new AbortController()
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const over = ending.signal
    const timer = setTimeout(() => reject(timedOut()), ms)
    over.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: over })
    start(resolve, reject, over)
  }).finally(() => ending.abort())
}

// Every wait of the SDK goes through here, so none can last for ever: it ends by what it waits for,
// by the caller's AbortSignal, or by time. Security X07, X08.

export interface Timing {
  /** How long each wait for the host may take. Default 10,000, at most a day. */
  readonly handshakeTimeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Limits {
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/** A day. What a timer cannot hold (24 days), it takes for no time at all. */
const LONGEST_MS = 86_400_000

/** Of the options of init. What is no time, such as NaN or -1, stands for the default. */
export const readLimits = ({ handshakeTimeoutMs: ms = 0, signal }: Timing): Limits => ({
  ms: ms > 0 ? Math.min(ms, LONGEST_MS) : 10_000,
  signal,
})

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

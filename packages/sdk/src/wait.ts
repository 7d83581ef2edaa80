// All waits of the SDK. Each ends with its result, by the caller's AbortSignal or by a timeout, so
// none lasts for ever. Security X07, X08.

export interface Timing {
  /** The milliseconds that each wait for the host may take. Default 10,000, at most a day. */
  readonly handshakeTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Limits {
  readonly ms: number
  readonly signal: AbortSignal | undefined
}

/** A day. A timer treats a delay that it cannot hold (24 days) as zero. */
const MAX_TIMEOUT_MS = 86_400_000

/** Reads the limits from the options of init. An invalid time, such as NaN or -1, means the default. */
export const readLimits = ({ handshakeTimeoutMs: ms = 0, signal }: Timing): Limits => ({
  ms: ms > 0 ? Math.min(ms, MAX_TIMEOUT_MS) : 10_000,
  signal,
})

/** `start` begins the work; `settled` is aborted as soon as the wait has ended, in any way. */
export function waitFor<T>(
  { ms, signal }: Limits,
  timedOut: () => Error,
  start: (
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
    settled: AbortSignal,
  ) => void,
): Promise<T> {
  const controller = new AbortController()
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const settled = controller.signal
    const timer = setTimeout(() => reject(timedOut()), ms)
    settled.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: settled })
    start(resolve, reject, settled)
  }).finally(() => controller.abort())
}

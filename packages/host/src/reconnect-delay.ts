// How long a host waits before it opens a lost event stream again. The streams of a node that is lost break in
// the same instant, so they come back at random moments, and later after each failure. Pure.

const MIN_DELAY_MS = 250
const FIRST_SPREAD_MS = 1_000
const MAX_DELAY_MS = 8_000
/** A service that is full or limits its callers may ask for longer, and tells many the same time. */
const MAX_REFUSED_MS = 60_000

/** The times at which the service wants to be called again. */
export interface SaidByService {
  /** The time that came on the lost stream; it is random already. */
  readonly retryMs?: number | undefined
  /** The time that came with the refusal of the last attempt (Retry-After). */
  readonly retryAfterMs?: number | null | undefined
}

/**
 * @param attempt from 1, since the stream was open last
 * @param random from 0 to 1, below 1
 */
export function reconnectDelay(
  attempt: number,
  { retryMs, retryAfterMs }: SaidByService,
  random: () => number,
): number {
  if (retryMs !== undefined) return Math.min(retryMs, MAX_DELAY_MS)
  const spread = Math.min(FIRST_SPREAD_MS * 2 ** (attempt - 1), MAX_DELAY_MS - MIN_DELAY_MS)
  const earliest = Math.max(MIN_DELAY_MS, Math.min(retryAfterMs ?? 0, MAX_REFUSED_MS))
  return earliest + Math.floor(random() * spread)
}

// How long a host waits before it opens a lost event stream again. The streams of a node that is lost break in
// the same instant, so they come back at random moments, and later after each failure. Pure.

const MIN_DELAY_MS = 250
const FIRST_SPREAD_MS = 1_000
const MAX_DELAY_MS = 8_000

/**
 * @param attempt from 1, since the stream was open last
 * @param retryMs what the service has said, which is random already
 * @param random from 0 to 1, below 1
 */
export function reconnectDelay(
  attempt: number,
  retryMs: number | undefined,
  random: () => number,
): number {
  if (retryMs !== undefined) return Math.min(retryMs, MAX_DELAY_MS)
  const spread = Math.min(FIRST_SPREAD_MS * 2 ** (attempt - 1), MAX_DELAY_MS - MIN_DELAY_MS)
  return MIN_DELAY_MS + Math.floor(random() * spread)
}

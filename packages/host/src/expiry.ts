// The lifetime of an accepted token: when the host warns its app, and when it launches it again. A
// token cannot be refreshed (spec §8). Contract §5 step 6.
import type { Clock } from './clock.ts'

const WARNING_MS = 60_000

/**
 * Null when the end is unknown, or past by the local clock although the service calls the token
 * live: the event stream of the service then reports the end.
 */
export function planExpiry(
  expiresAt: number | null,
  now: number,
): { readonly warnInMs: number; readonly endInMs: number } | null {
  if (expiresAt === null || expiresAt <= now) return null
  const endInMs = expiresAt - now
  return { warnInMs: Math.max(endInMs - WARNING_MS, 0), endInMs }
}

/**
 * Calls back when the token expires soon and when it expires; the returned function cancels both.
 */
export function watchExpiry(
  expiresAt: number | null,
  clock: Clock,
  onExpiring: (inSeconds: number) => void,
  onExpired: () => void,
): () => void {
  const plan = planExpiry(expiresAt, clock.now())
  if (!plan) return () => {}
  const { warnInMs, endInMs } = plan
  const cancelWarning = clock.after(warnInMs, () => {
    onExpiring(Math.round((endInMs - warnInMs) / 1000))
  })
  const cancelEnd = clock.after(endInMs, onExpired)
  return () => {
    cancelWarning()
    cancelEnd()
  }
}

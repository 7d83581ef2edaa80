// How long an accepted token may be used: when to warn its app, and when to launch it again. A
// token cannot be refreshed (spec §8). Contract §5 step 6.
import type { Clock } from './clock.ts'

const WARNING_MS = 60_000

/**
 * Null when the end is unknown, or already past by this machine's clock although the service calls
 * the token live: then the service's own word, on the event stream, is waited for.
 */
export function planExpiry(
  expiresAt: number | null,
  now: number,
): { readonly warnInMs: number; readonly endInMs: number } | null {
  if (expiresAt === null || expiresAt <= now) return null
  const endInMs = expiresAt - now
  return { warnInMs: Math.max(endInMs - WARNING_MS, 0), endInMs }
}

/** Calls back at the two moments of the plan; the returned function cancels what is left of it. */
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

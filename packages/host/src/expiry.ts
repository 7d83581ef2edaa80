// The lifetime of an accepted token: when the host warns its app, and when it launches it again. A
// token cannot be refreshed (spec §8). Contract §5 step 6.
import type { Clock } from './clock.ts'
import type { Introspection } from './service.ts'

export type TokenTimes = Pick<Introspection, 'expiresAt' | 'lifetimeMs'>

/**
 * Returns when the token ends by the clock of this computer, which may be wrong: it was issued after its
 * launch was opened, and before now. Without its lifetime the clock of the service has to do.
 */
export function findEnd(
  { expiresAt, lifetimeMs }: TokenTimes,
  openedAt: number,
  now: number,
): number | null {
  if (expiresAt === null || lifetimeMs === null) return expiresAt
  return Math.min(Math.max(expiresAt, openedAt + lifetimeMs), now + lifetimeMs)
}

const WARNING_MS = 60_000
/** The time for which an app may finish work after the end of its token. */
const MAX_HOLD_MS = 30_000

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

/** The end of one token. An app that finishes work may hold it up, for a bounded time. */
export class TokenExpiry {
  readonly #clock: Clock
  readonly #listener: { onExpiring(inSeconds: number): void; onExpired(): void }
  #cancelTimers: readonly (() => void)[] = []
  #isHeld = false
  /** The token has ended; the launch waits for the app. */
  #isDue = false

  constructor(clock: Clock, listener: { onExpiring(inSeconds: number): void; onExpired(): void }) {
    this.#clock = clock
    this.#listener = listener
  }

  start(expiresAt: number | null): void {
    const plan = planExpiry(expiresAt, this.#clock.now())
    if (!plan) return
    const { warnInMs, endInMs } = plan
    this.#schedule(warnInMs, () => {
      this.#listener.onExpiring(Math.round((endInMs - warnInMs) / 1000))
    })
    this.#schedule(endInMs, () => this.expire())
  }

  /** The end, by the clock or because the service says so. */
  expire(): void {
    if (this.#isDue) return
    this.cancel()
    this.#isDue = this.#isHeld
    if (this.#isHeld) this.#schedule(MAX_HOLD_MS, () => this.#listener.onExpired())
    else this.#listener.onExpired()
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (isHeld || !this.#isDue) return
    this.cancel()
    this.#listener.onExpired()
  }

  expireIn(ms: number): void {
    this.#schedule(ms, () => this.expire())
  }

  cancel(): void {
    for (const cancel of this.#cancelTimers) cancel()
    this.#cancelTimers = []
  }

  #schedule(ms: number, task: () => void): void {
    this.#cancelTimers = [...this.#cancelTimers, this.#clock.after(ms, task)]
  }
}

// Owns when a sign-in is live: not ended, not idle for too long, not past its last hour. Pure.
// Contract §3: 30 minutes idle, 12 hours at the latest, both configurable.

export interface SignIn {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** A sign-in last seen before this is idle. */
export const idleCutoff = (now: number, idleSeconds: number) => now - idleSeconds * 1000

/** Seen again so soon after the last note that writing it down would only cost. */
const NOTE_EVERY_MS = 60_000

export const isWorthNoting = (signIn: SignIn, now: number) =>
  now - signIn.lastSeenAt >= NOTE_EVERY_MS

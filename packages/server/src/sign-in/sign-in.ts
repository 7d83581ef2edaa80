// Owns when a sign-in is live: not ended, not idle for too long, not past its last hour. Pure.
// Contract §3: 30 minutes idle, 12 hours at the latest, both configurable.

export interface SignIn {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** The moment for which a statement judges whether sign-ins live. */
export interface Moment {
  readonly now: number
  /** A sign-in last seen at this time or before is idle. */
  readonly idleSince: number
}

export const momentOf = (now: number, idleSeconds: number): Moment => ({
  now,
  idleSince: now - idleSeconds * 1000,
})

/** Writing down every call would only cost; what is written is at most this much behind. */
const NOTE_EVERY_MS = 60_000

/** Whether the last note is so old that another matters, measured against a short idle limit too. */
export const isWorthNoting = (signIn: SignIn, now: number, idleSeconds: number) =>
  now - signIn.lastSeenAt >= Math.min(NOTE_EVERY_MS, idleSeconds * 100)

/** What a client gets that has signed somebody in. */
export const signedInBody = (
  token: string,
  expiresAt: string,
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
) => ({ token, expiresAt, user: { id, email, name } })

// What lives and ends together: a sign-in, the EHR sessions opened with it, their launches and the
// access tokens of these. The rule of when a sign-in is live; its SQL is liveness-store.ts.
// Contract §3.

/** What a sign-in is compared with to tell whether it is live. */
export interface LivenessCutoff {
  /** Milliseconds; a sign-in that expires now has ended. */
  readonly now: number
  /** Milliseconds; a sign-in that was last active at this time or before is idle. */
  readonly idleSince: number
}

export const livenessCutoff = (now: number, sessionIdleSeconds: number): LivenessCutoff => ({
  now,
  idleSince: now - sessionIdleSeconds * 1000,
})

/** Of a sign-in: the columns that decide whether it is live. */
export interface SignInTimes {
  readonly endedAt: number | undefined
  readonly expiresAt: number
  readonly lastSeenAt: number
}

export const isSignInLive = (
  { endedAt, expiresAt, lastSeenAt }: SignInTimes,
  { now, idleSince }: LivenessCutoff,
): boolean => endedAt === undefined && expiresAt > now && lastSeenAt > idleSince

// What lives and ends together: a sign-in, the EHR sessions opened with it, their launches and the
// access tokens of these. The rules of when a sign-in is live, when and why it ends, and when its user
// is warned; the SQL is liveness-store.ts. Contract §3.
import type { EndReason } from '@chartside/protocol/launch'

/** A sign-in is compared with these times to decide whether it is live. */
export interface LivenessCutoff {
  /** The time in milliseconds; a sign-in that expires now has ended. */
  readonly now: number
  /** The time in milliseconds; a sign-in that was last active at this time or before is idle. */
  readonly idleSince: number
}

export const livenessCutoff = (now: number, sessionIdleSeconds: number): LivenessCutoff => ({
  now,
  idleSince: now - sessionIdleSeconds * 1000,
})

/** The columns of a sign-in that decide whether it is live. */
export interface SignInTimes {
  readonly endedAt: number | undefined
  readonly endedReason: EndReason | undefined
  readonly expiresAt: number
  readonly lastSeenAt: number
}

/** A launch that a write has ended. */
export interface EndedLaunch {
  readonly id: string
  readonly sessionId: string
}

/** The time and the reason of an end. */
export interface End {
  readonly at: number
  readonly reason: EndReason
}

export const isSignInLive = (
  { endedAt, expiresAt, lastSeenAt }: Omit<SignInTimes, 'endedReason'>,
  { now, idleSince }: LivenessCutoff,
): boolean => endedAt === undefined && expiresAt > now && lastSeenAt > idleSince

/** The end that comes without activity and without a sign-out. */
function planEnd({ expiresAt, lastSeenAt }: SignInTimes, { now, idleSince }: LivenessCutoff) {
  const idleAt = lastSeenAt + (now - idleSince)
  return idleAt < expiresAt
    ? ({ at: idleAt, reason: 'idle' } as const)
    : ({ at: expiresAt, reason: 'expired' } as const)
}

/** Decides how the sign-in ended; undefined while it is live. */
export function decideSignInEnd(signIn: SignInTimes, cutoff: LivenessCutoff): End | undefined {
  const { endedAt, endedReason } = signIn
  const planned = planEnd(signIn, cutoff)
  if (endedAt !== undefined && endedAt <= planned.at) {
    return { at: endedAt, reason: endedReason ?? 'signed_out' }
  }
  return planned.at <= cutoff.now ? planned : undefined
}

/** The end that came first; of two at one moment the one that is named first. */
export const firstEnd = (ends: readonly (End | undefined)[]): End | undefined =>
  ends
    .filter((end) => end !== undefined)
    .reduce<End | undefined>((first, end) => (first && first.at <= end.at ? first : end), undefined)

/** The user of a live sign-in is warned this long before its end, or for half of a short idle time. */
const MAX_WARNING_MS = 120_000

export interface PlannedEnd {
  readonly at: number
  /** Activity moves an `idle` end, and no `expired` one. */
  readonly reason: 'idle' | 'expired'
  readonly warnAt: number
}

/** The end of a live sign-in when no activity follows. */
export function planSignInEnd(signIn: SignInTimes, cutoff: LivenessCutoff): PlannedEnd {
  const end = planEnd(signIn, cutoff)
  const warningMs = Math.min(MAX_WARNING_MS, (cutoff.now - cutoff.idleSince) / 2)
  return { ...end, warnAt: end.at - warningMs }
}

/** The recorded activity is at most this much behind; recording every call would cost a write each. */
const RECORD_INTERVAL_MS = 60_000

/** A recorded activity of this time or before is recorded again; a short idle limit counts too. */
export const recordActivityBefore = (now: number, idleSeconds: number): number =>
  now - Math.min(RECORD_INTERVAL_MS, idleSeconds * 100)

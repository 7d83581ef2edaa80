// The time of this node, which is the database's: what the database said at the last check, and the
// monotonic time since. So nodes agree, and a wrong clock of one machine ends no sign-in, expires no
// token and deletes no row. Compares the machine's clock with it, and says when they differ. Pure but
// for its state: clocks are arguments, the reading comes from cache-versions.ts. Security V13.
import type { Clock } from '../kernel/randomness.ts'

export interface ClockSources {
  /** The clock of this machine, milliseconds since 1970. It may be wrong, and may be set. */
  readonly wall: Clock
  /** The milliseconds since some moment, which is never set. They stand still while the machine is suspended. */
  readonly monotonic: Clock
  /** The same with the time of suspension, where the system has it. */
  readonly uptime: Clock
}

export interface ClockLimits {
  readonly maxOffsetMs: number
  /** Other nodes can use the database; an embedded one has the clock of this machine. */
  readonly isShared: boolean
}

export interface ClockFault {
  /** `offset`: the clocks differ. `step`: the clock of the machine was set, and the database is on it. */
  readonly kind: 'offset' | 'step'
  readonly offsetMs: number
}

/** The answer of the database, and the monotonic times around it. */
export interface ClockReading {
  readonly databaseTime: number
  readonly sentAt: number
  readonly receivedAt: number
}

export interface DatabaseClock {
  readonly now: Clock
  readonly monotonic: Clock
  /** The time by which the clock of this machine is ahead of the database's. */
  offsetMs(): number
  findFault(): ClockFault | undefined
  /** Returns false while the clocks differ, and for some minutes after a clock was set. */
  mayDelete(): boolean
  /** The clock of this machine moved against the monotonic one, so the last reading is too old. */
  hasJumped(): boolean
  take(reading: ClockReading): void
}

export interface HasDatabaseClock {
  readonly time: DatabaseClock
}

/** A difference up to this is the jitter of two clocks that are right. */
const JITTER_MS = 5
/** A clock that was set and stays so for this time is believed. */
const SETTLE_MS = 15_000
/** The node deletes nothing for this time: an operator can still set the clock right. */
const HOLD_DELETES_MS = 10 * 60_000
/** Corrections up to this never let the time of this node go back. */
const MAX_HELD_MS = 1000

export function databaseClock(
  { wall, monotonic, uptime }: ClockSources,
  { maxOffsetMs, isShared }: ClockLimits,
  first: ClockReading,
  onChange: (fault: ClockFault | undefined) => void,
): DatabaseClock {
  let base: { readonly time: number; readonly at: number } = pointOf(first)
  let last = Number.NEGATIVE_INFINITY
  let offsetMs = 0
  let fault: ClockFault | undefined
  let step: { readonly sinceMs: number; readonly byMs: number } | undefined
  let holdsUntil = Number.NEGATIVE_INFINITY
  const wallAhead = () => wall() - monotonic()
  const suspendedFor = () => uptime() - monotonic()
  let seen = { wall: wallAhead(), suspended: suspendedFor() }

  const estimateAt = (at: number) => base.time + (at - base.at)
  const isBeyond = (ms: number, uncertaintyMs = 0) => Math.abs(ms) - uncertaintyMs > maxOffsetMs

  function setFault(found: ClockFault | undefined): void {
    const isNews = found?.kind !== fault?.kind
    fault = found
    if (isNews) onChange(found)
  }

  /** The clock of an embedded database was set; whether the new time is believed. */
  function decideStep(byMs: number, at: number, suspendedMs: number): boolean {
    if (!isBeyond(byMs) || !isBeyond(byMs - suspendedMs)) {
      step = undefined
      return true
    }
    if (!step || isBeyond(byMs - step.byMs)) step = { sinceMs: at, byMs }
    if (at - step.sinceMs < SETTLE_MS) return false
    step = undefined
    holdsUntil = at + HOLD_DELETES_MS
    return true
  }

  return {
    monotonic,
    now() {
      const now = Math.floor(estimateAt(monotonic()))
      if (now < last && last - now < MAX_HELD_MS) return last
      last = now
      return now
    },
    offsetMs: () => offsetMs,
    findFault: () => fault,
    mayDelete: () => fault === undefined && monotonic() >= holdsUntil,
    hasJumped: () => isBeyond(wallAhead() - seen.wall),
    take(reading) {
      const { time, at, uncertaintyMs } = pointOf(reading)
      const found = { wall: wallAhead(), suspended: suspendedFor() }
      offsetMs = Math.round(found.wall + at - time)
      const byMs = time - estimateAt(at)
      const isBelieved =
        isShared || decideStep(byMs, at, step ? 0 : found.suspended - seen.suspended)
      if (isBelieved && Math.abs(byMs) > uncertaintyMs + JITTER_MS) base = { time, at }
      seen = found
      if (!isBelieved) setFault({ kind: 'step', offsetMs: Math.round(byMs) })
      else setFault(isBeyond(offsetMs, uncertaintyMs) ? { kind: 'offset', offsetMs } : undefined)
    },
  }
}

/** The database read its clock at some moment between the two. */
const pointOf = ({ databaseTime, sentAt, receivedAt }: ClockReading) => ({
  time: databaseTime,
  at: (sentAt + receivedAt) / 2,
  uncertaintyMs: (receivedAt - sentAt) / 2,
})

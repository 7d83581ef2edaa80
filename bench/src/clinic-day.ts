// A clinic's day: how many arrivals each time of it has, and at which moments they come. Pure; day.ts plays
// the day, and day-verdict.ts judges it.

/** Arrivals of each hour from midnight on, as a share of those at nine o'clock. */
const HOURS = [
  ...[0.02, 0.02, 0.02, 0.02, 0.02, 0.03, 0.08, 0.25],
  ...[0.6, 1, 0.85, 0.7, 0.35, 0.55, 0.7, 0.65],
  ...[0.5, 0.3, 0.12, 0.08, 0.06, 0.04, 0.03, 0.02],
]

/** The share of the peak at an hour of the day, such as 9.5; straight between two full hours. */
export function shareAt(hour: number): number {
  const from = Math.floor(hour) % 24
  const share = (at: number) => HOURS[at % 24] ?? 0
  const after = hour - Math.floor(hour)
  return share(from) * (1 - after) + share(from + 1) * after
}

export interface DayShape {
  /** The milliseconds in which the whole day passes. */
  readonly dayMs: number
  /** Arrivals a second at nine o'clock. */
  readonly peak: number
}

/**
 * The moments of the arrivals from `fromMs` to `toMs`, in ms since midnight, each independent of the others: of
 * candidates at the rate of the peak, each stays with the share of its hour (thinning of a Poisson process).
 */
export function drawArrivals(
  random: () => number,
  { dayMs, peak }: DayShape,
  fromMs: number,
  toMs: number,
): number[] {
  const arrivals: number[] = []
  for (let at = fromMs; ; ) {
    at -= (1000 * Math.log(1 - random())) / peak
    if (at >= toMs) return arrivals
    if (random() < shareAt((24 * at) / dayMs)) arrivals.push(at)
  }
}

/** The times of a day that is pressed into less. */
export interface DayTimes {
  /** The seconds until an idle sign-in ends: half an hour of the day. */
  readonly idleSeconds: number
  readonly tokenSeconds: number
  /** A page stays open for no longer than this; the mean is a sixth of it. */
  readonly maxPageMs: number
  /** A provider works for half of it to one and a half of it before the sign-out. */
  readonly shiftMs: number
}

const MIN_IDLE_SECONDS = 20
const MAX_PAGE_MS = 120_000
/** A sign-in ends after twelve hours at the latest. */
const MAX_SHIFT_MS = 6 * 3_600_000

export function planTimes(dayMs: number): DayTimes {
  const idleSeconds = Math.max(MIN_IDLE_SECONDS, Math.min(1800, Math.round(dayMs / 48_000)))
  const maxPageMs = Math.min(MAX_PAGE_MS, 600 * idleSeconds)
  return {
    idleSeconds,
    // Some pages outlive their tokens.
    tokenSeconds: Math.round(maxPageMs / 2000),
    maxPageMs,
    shiftMs: Math.min(MAX_SHIFT_MS, Math.max(dayMs / 6, 2000 * idleSeconds)),
  }
}

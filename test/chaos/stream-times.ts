// What the times of lost event streams say: how long each was away, and whether they came back spread or in
// the same instant. Pure.

export interface Loss {
  /** What had happened to a node last. */
  readonly incident: string
  readonly lostAt: number
  /** The moment that its client chose for the first request afterwards. */
  askedAt?: number
  backAt?: number
}

export interface Incident {
  readonly name: string
  readonly lost: number
  readonly notBack: number
  /** From the loss of a stream until it was open again. */
  readonly medianMs: number
  readonly slowestMs: number
  /** Of a hundred requests for lost streams, those in the busiest tenth of a second. */
  readonly busiestPercent: number
}

const INSTANT_MS = 100

/**
 * All clients of a run share one process. When that stands still, as on a busy machine, their timers end late
 * and in the same instant, which the clients of different people do not: so what counts is the moment for
 * which a client has set its timer. A request before it, or without one, counts for when it was made.
 */
export function chosenMoment(lostAt: number, dueAt: number | undefined, askedAt: number): number {
  return dueAt === undefined || dueAt < lostAt ? askedAt : Math.min(dueAt, askedAt)
}

export function summarize(name: string, losses: readonly Loss[]): Incident {
  const away = losses
    .flatMap(({ lostAt, backAt }) => (backAt === undefined ? [] : [backAt - lostAt]))
    .sort((a, b) => a - b)
  return {
    name,
    lost: losses.length,
    notBack: losses.length - away.length,
    medianMs: away[Math.floor((away.length - 1) / 2)] ?? 0,
    slowestMs: away.at(-1) ?? 0,
    busiestPercent: findBusiest(losses.flatMap(({ askedAt }) => askedAt ?? [])),
  }
}

/** In any window, not only in full tenths of the clock. */
function findBusiest(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  let most = 0
  let first = 0
  for (const [last, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= INSTANT_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return sorted.length === 0 ? 0 : (most / sorted.length) * 100
}

// The summary of a list of launches: outcomes, success, times, and the launches over time. The newest are read one by
// one. What is older comes from the counts of five minutes, so that every figure has one base. Decision 91.
import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import type { PayloadOf } from '../../http/call.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { LaunchOutcome } from '../launch.ts'
import type { LaunchFilter, LaunchScope } from '../list/launch-filter-store.ts'
import { listRecent, type RecentLaunch } from '../list/launch-list-store.ts'
import { listCounts, SLOT_MS, type SlotCount } from './launch-count-store.ts'
import type { LAUNCH_SUMMARY, OUTCOME_COUNTS, QUANTILES } from './launch-health-schema.ts'

/** The window of a call without `from`, so that the statement reads a bounded part of the table. */
export const WINDOW_MS = 7 * 24 * 60 * 60_000
/** The newest launches of a list are read. */
const MAX_COUNTED = 2000

export interface WindowedFilter extends LaunchFilter {
  readonly from: number
  readonly to: number
}

export const withWindow = (filter: LaunchFilter, now: number): WindowedFilter => {
  const to = filter.to ?? now + 1
  return { ...filter, from: filter.from ?? to - WINDOW_MS, to }
}

/** Summarizes the newest launches: their outcomes, and how fast they became ready. */
export async function loadNewest(db: Database, scope: LaunchScope, filter: WindowedFilter) {
  const found = await listRecent(db, scope, filter, MAX_COUNTED + 1)
  return describe(filter, found.slice(0, MAX_COUNTED), found.length > MAX_COUNTED)
}

const describe = (
  { from, to }: WindowedFilter,
  recent: readonly RecentLaunch[],
  isCapped: boolean,
) => ({
  from: rfc3339(from),
  to: rfc3339(to),
  launches: recent.length,
  isCapped,
  outcomes: countOutcomes(recent),
  successRate: rateOf(recent.filter(isReady).length, recent.filter(isFailed).length),
  toReady: buildQuantiles(recent.flatMap(({ readyMs }) => readyMs ?? [])) ?? null,
})

/** Summarizes older launches too, where they are counted. */
export async function loadSummary(
  { db, config }: HasConfig & HasDatabase,
  scope: LaunchScope,
  filter: WindowedFilter,
): Promise<PayloadOf<typeof LAUNCH_SUMMARY>> {
  const found = await listRecent(db, scope, filter, MAX_COUNTED + 1)
  const read = found.slice(0, MAX_COUNTED)
  const isCapped = found.length > MAX_COUNTED
  const oldest = read.at(-1)?.createdAt ?? filter.to
  if (!isCapped || !isCounted(scope, filter)) {
    const begin = isCapped ? oldest : filter.from
    return { ...describe(filter, read, isCapped), ...buildSlots({ ...filter, begin }, read, []) }
  }
  // The counts outlive the launches.
  const kept = filter.cutoff.now - config.retentionHours * 60 * 60_000
  const border = ceil(oldest)
  const older = await listCounts(
    db,
    scope,
    { ...filter, from: ceil(Math.max(filter.from, kept)), to: border },
    SLOT_MS,
  )
  const recent = read.filter(({ createdAt }) => createdAt >= border)
  const sum = (of: 'launches' | 'failed' | 'ready') => older.reduce((all, one) => all + one[of], 0)
  const newest = describe(filter, recent, false)
  const failed = newest.outcomes.failed + sum('failed')
  return {
    ...newest,
    launches: recent.length + sum('launches'),
    outcomes: { ...newest.outcomes, failed, ready: null, ended: null },
    successRate: rateOf(recent.filter(isReady).length + sum('ready'), failed),
    ...buildSlots({ ...filter, begin: filter.from }, recent, older),
  }
}

const ceil = (at: number) => Math.ceil(at / SLOT_MS) * SLOT_MS

/** The counts know practice and app. Own launches of a person are no part of them. */
const isCounted = (scope: LaunchScope, filter: LaunchFilter): boolean =>
  [filter.sessionId, filter.reason, filter.traceId, filter.state].every(
    (narrow) => narrow === undefined,
  ) &&
  (scope.isEverything || scope.practiceIds.length + scope.vendorIds.length > 0)

/** The number of bars that have room. */
const MAX_SLOTS = 60
const SLOT_SECONDS = [10, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600]
const DAY_SECONDS = 86_400

/** The narrowest round width with which so long a time has room. */
export function decideSlotSeconds(spanMs: number, isOfCounts: boolean): number {
  const least = spanMs / 1000 / MAX_SLOTS
  const whole = Math.ceil(least / DAY_SECONDS) * DAY_SECONDS
  const narrowest = isOfCounts ? SLOT_MS / 1000 : 0
  return SLOT_SECONDS.find((width) => width >= least && width >= narrowest) ?? whole
}

interface Histogram {
  readonly begin: number
  readonly to: number
}

function buildSlots(
  { begin, to }: Histogram,
  recent: readonly RecentLaunch[],
  older: readonly Omit<SlotCount, 'readyWithinMs'>[],
) {
  const slotSeconds = decideSlotSeconds(to - begin, older.length > 0)
  const slotMs = slotSeconds * 1000
  const first = begin - (begin % slotMs)
  const slots = Array.from({ length: Math.max(Math.ceil((to - first) / slotMs), 0) }, (_, k) => ({
    at: rfc3339(first + k * slotMs),
    ...{ launches: 0, failed: 0 },
  }))
  const add = (at: number, launches: number, failed: number) => {
    const slot = slots[Math.floor((at - first) / slotMs)]
    if (!slot) return
    slot.launches += launches
    slot.failed += failed
  }
  for (const { slot, launches, failed } of older) add(slot * SLOT_MS, launches, failed)
  for (const launch of recent) add(launch.createdAt, 1, isFailed(launch) ? 1 : 0)
  return { slotSeconds, slots }
}

const isReady = ({ readyMs }: RecentLaunch) => readyMs !== undefined
const isFailed = ({ outcome }: RecentLaunch) => outcome === 'failed'

/** Returns quantiles by the nearest rank: one of the measured values; undefined without any. */
export function buildQuantiles(values: readonly number[]): PayloadOf<typeof QUANTILES> | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)]
  const [p50Ms, p95Ms] = [at(0.5), at(0.95)]
  if (p50Ms === undefined || p95Ms === undefined) return undefined
  return { count: sorted.length, p50Ms, p95Ms }
}

function countOutcomes(recent: readonly RecentLaunch[]): PayloadOf<typeof OUTCOME_COUNTS> {
  const counts: Record<LaunchOutcome, number> = { failed: 0, opening: 0, ready: 0, ended: 0 }
  for (const { outcome } of recent) counts[outcome] += 1
  return counts
}

/** The rate of decided launches only: those that open now say nothing yet, nor those closed before. */
const rateOf = (ready: number, failed: number): number | null =>
  ready + failed === 0 ? null : ready / (ready + failed)

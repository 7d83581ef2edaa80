// The rules of the overview "Is it well?": its windows, its figures with their usual values, and which apps do not
// open, since when. Plain counts in, plain data out. It reads no clock and no table. Contract §16.
import type { RefusedSignIns } from '../../audit/refused-sign-in-store.ts'
import {
  type AppMoment,
  SLOT_MS,
  type SlotCount,
  type Totals,
  type TrendCount,
  type UseCount,
  type Windows,
} from './launch-count-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const OVERVIEW_HOURS = [1, 24, 168] as const
export type OverviewHours = (typeof OVERVIEW_HOURS)[number]

const SLOTS_MS: Readonly<Record<OverviewHours, number>> = {
  1: 5 * MINUTE_MS,
  24: HOUR_MS,
  168: 6 * HOUR_MS,
}

export interface OverviewWindows extends Windows {
  readonly from: number
  readonly slotMs: number
  /** The number of windows before the newest one. */
  readonly before: number
}

/** The newest window, and those it is compared with: the same hours of seven days, or the week before. */
export function decideWindows(hours: OverviewHours, now: number): OverviewWindows {
  const slotMs = SLOTS_MS[hours]
  const from = now - (now % slotMs) + slotMs - hours * HOUR_MS
  const [periodMs, before] = hours === 168 ? [7 * DAY_MS, 1] : [DAY_MS, 7]
  return { from, firstFrom: from - before * periodMs, spanMs: now - from, periodMs, slotMs, before }
}

export interface Slot extends Totals {
  readonly at: number
  readonly usualLaunches: number | undefined
  readonly halfWithinMs: number | undefined
  readonly mostWithinMs: number | undefined
}

/** The bound within which this share of the ready launches became ready. */
function quantile(counts: readonly SlotCount[], share: number): number | undefined {
  const ready = counts.filter(({ readyWithinMs }) => readyWithinMs > 0)
  const total = ready.reduce((all, { launches }) => all + launches, 0)
  let seen = 0
  for (const one of ready.toSorted((a, b) => a.readyWithinMs - b.readyWithinMs)) {
    seen += one.launches
    if (seen >= share * total) return one.readyWithinMs
  }
  return undefined
}

const add = (counts: readonly Totals[]): Totals => ({
  launches: counts.reduce((all, { launches }) => all + launches, 0),
  failed: counts.reduce((all, { failed }) => all + failed, 0),
  ready: counts.reduce((all, { ready }) => all + ready, 0),
})

/** The share of ready launches among those that became ready or failed. */
export const shareOf = ({ ready, failed }: Totals): number | undefined =>
  ready + failed === 0 ? undefined : ready / (ready + failed)

/** The middle value of those that are known, the lower one of two. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)]
}

export interface Figure {
  readonly value: number | undefined
  /** The middle value of the windows before; undefined without any launch in them. */
  readonly usual: number | undefined
}

export interface Series {
  readonly slots: readonly Slot[]
  readonly totals: Totals
  readonly readyShare: Figure
  readonly launches: Figure
  readonly failed: Figure
  readonly readyWithinMs: Figure
}

export function buildSeries(counts: readonly SlotCount[], windows: OverviewWindows): Series {
  const { from, slotMs, periodMs, before, spanMs } = windows
  const ofPeriod = periodMs / slotMs
  const byWindow = Map.groupBy(counts, ({ slot }) => Math.floor(slot / ofPeriod))
  const newest = byWindow.get(before) ?? []
  const past = [...byWindow].filter(([window]) => window < before).map(([, found]) => found)
  const bySlot = Map.groupBy(newest, ({ slot }) => slot % ofPeriod)
  const slots = Array.from({ length: Math.max(Math.ceil(spanMs / slotMs), 1) }, (_, k) => {
    const here = bySlot.get(k) ?? []
    const usual = past.map((one) => add(one.filter(({ slot }) => slot % ofPeriod === k)).launches)
    return {
      ...add(here),
      at: from + k * slotMs,
      usualLaunches: median(usual),
      halfWithinMs: quantile(here, 0.5),
      mostWithinMs: quantile(here, 0.95),
    }
  })
  const figure = (of: (found: readonly SlotCount[]) => number | undefined): Figure => ({
    value: of(newest),
    usual: median(past.map(of)),
  })
  return {
    slots,
    totals: add(newest),
    readyShare: figure((found) => shareOf(add(found))),
    launches: figure((found) => add(found).launches),
    failed: figure((found) => add(found).failed),
    readyWithinMs: figure((found) => quantile(found, 0.95)),
  }
}

export interface Ranked extends Totals {
  readonly id: string
  /** The use with the most failures; the first use when none failed. */
  readonly worst: UseCount
}

/** Practices or apps of a caller, worst first, each with the use that failed most. */
export function rank(uses: readonly UseCount[], idOf: (use: UseCount) => string): Ranked[] {
  return [...Map.groupBy(uses, idOf)]
    .flatMap(([id, found]) => {
      const [worst] = found.toSorted((a, b) => b.failed - a.failed)
      return worst ? [{ id, ...add(found), worst }] : []
    })
    .sort(
      (a, b) =>
        (shareOf(a) ?? 1) - (shareOf(b) ?? 1) || b.failed - a.failed || b.launches - a.launches,
    )
}

/** The share of ready launches in each slot, by practice or app; undefined without a decided launch. */
export function buildTrends(
  counts: readonly TrendCount[],
  slots: number,
): (id: string) => (number | undefined)[] {
  const byId = Map.groupBy(counts, ({ id }) => id)
  return (id) => {
    const bySlot = new Map(byId.get(id)?.map((one) => [one.slot, shareOf(one)]))
    return Array.from({ length: slots }, (_, k) => bySlot.get(k))
  }
}

/** A window without a row had none; one that began before the first row of all is unknown. */
export function buildRefused(
  { oldestAt, byWindow }: RefusedSignIns,
  { before, firstFrom, periodMs }: OverviewWindows,
): Figure {
  const past = Array.from({ length: before }, (_, n) =>
    oldestAt === undefined || firstFrom + n * periodMs < oldestAt
      ? undefined
      : (byWindow.get(n) ?? 0),
  )
  return { value: byWindow.get(before) ?? 0, usual: median(past) }
}

/** Failures that are no more than this apart belong together. */
const GAP_MS = HOUR_MS
/** A failure is of now for this time. */
const RECENT_MS = 30 * MINUTE_MS
const MIN_FAILED = 3
const MAX_FAILED_SHARE = 0.1

export interface Incident extends Totals {
  readonly appId: string
  readonly isNow: boolean
  readonly since: number
  readonly until: number
}

/** Apps of which at least three launches and more than a tenth failed in a stretch; those of now first. */
export function findIncidents(moments: readonly AppMoment[], now: number): Incident[] {
  return [...Map.groupBy(moments, ({ appId }) => appId).values()]
    .flatMap((found) => listStretches(found).flatMap((stretch) => judge(stretch, found, now)))
    .sort((a, b) => Number(b.isNow) - Number(a.isNow) || b.failed - a.failed || b.until - a.until)
}

function listStretches(moments: readonly AppMoment[]): { since: number; until: number }[] {
  const stretches: { since: number; until: number }[] = []
  for (const { at, failed } of moments) {
    if (failed === 0) continue
    const last = stretches.at(-1)
    if (last && at - last.until <= GAP_MS) last.until = at + SLOT_MS
    else stretches.push({ since: at, until: at + SLOT_MS })
  }
  return stretches
}

function judge(
  { since, until }: { since: number; until: number },
  moments: readonly AppMoment[],
  now: number,
): Incident[] {
  const totals = add(moments.filter(({ at }) => at >= since && at < until))
  const isMany = totals.failed > MAX_FAILED_SHARE * (totals.failed + totals.ready)
  if (totals.failed < MIN_FAILED || !isMany) return []
  // What became ready after the last failure shows that it is over.
  const isBack = moments.some(({ at, ready }) => at >= until && ready > 0)
  const isNow = until > now - RECENT_MS && !isBack
  const [appId = ''] = moments.map((one) => one.appId)
  return [{ ...totals, appId, isNow, since, until: Math.min(until, now) }]
}

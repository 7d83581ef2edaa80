// How an app usually does: the median and the 95th percentile of each span and of the time to ready, and
// how many of its launches became ready. Pure: measured launches in, numbers out.
import { type LaunchSpanName, SPAN_PARTIES } from '@chartside/protocol/launch'
import type { PayloadOf } from '../http/call.ts'
import type { LaunchOutcome } from './launch.ts'
import type { OUTCOME_COUNTS, QUANTILES, USUAL_SPAN } from './launch-health-schema.ts'
import type { RecentLaunch } from './launch-list-store.ts'
import { type LaunchTimes, measureSpans } from './spans.ts'

/** Nearest rank: one of the measured values. Undefined without any. */
export function buildQuantiles(values: readonly number[]): PayloadOf<typeof QUANTILES> | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)]
  const [p50Ms, p95Ms] = [at(0.5), at(0.95)]
  if (p50Ms === undefined || p95Ms === undefined) return undefined
  return { count: sorted.length, p50Ms, p95Ms }
}

/** In causal order; a span that no launch has measured is left out. */
export function buildUsualSpans(launches: readonly LaunchTimes[]): PayloadOf<typeof USUAL_SPAN>[] {
  const measured = Map.groupBy(launches.flatMap(measureSpans), ([span]) => span)
  return (Object.keys(SPAN_PARTIES) as LaunchSpanName[]).flatMap((span) => {
    const quantiles = buildQuantiles((measured.get(span) ?? []).map(([, ms]) => ms))
    return quantiles ? [{ span, party: SPAN_PARTIES[span], ...quantiles }] : []
  })
}

export function countOutcomes(recent: readonly RecentLaunch[]): PayloadOf<typeof OUTCOME_COUNTS> {
  const counts: Record<LaunchOutcome, number> = { failed: 0, opening: 0, ready: 0, ended: 0 }
  for (const { outcome } of recent) counts[outcome] += 1
  return counts
}

/** Of the launches that are decided: those that open now say nothing yet, nor those closed before. */
export function decideSuccessRate(recent: readonly RecentLaunch[]): number | null {
  const ready = recent.filter(({ readyMs }) => readyMs !== undefined).length
  const failed = recent.filter(({ outcome }) => outcome === 'failed').length
  return ready + failed === 0 ? null : ready / (ready + failed)
}

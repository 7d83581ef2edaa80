// The percentiles of measured times: the nearest one that was measured, none between two. Pure; it knows
// nothing of what was measured.
import type { Percentiles } from './jobs.ts'

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).sort()
  const at = (fraction: number) => sorted[Math.floor((sorted.length - 1) * fraction)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

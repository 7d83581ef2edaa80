// The layout of a waterfall: each span as offset and width in hundredths of a round scale, the ticks
// of that scale, and the share of each party. A span that never happened stands where it would have
// begun, as wide as it usually is. Pure; the times come from the service.

export type Party = 'host' | 'page' | 'server' | 'service'

export interface Span {
  readonly id: string
  readonly name: string
  readonly detail?: string
  readonly party: Party
  /** Milliseconds since the launch was made; null: it never happened. */
  readonly startMs: number | null
  readonly durationMs: number
  readonly usualMs?: number
  readonly isFailed?: boolean
  /** It took longer than it should, or failed at first; it did not stop the launch. */
  readonly isLate?: boolean
  readonly isRunning?: boolean
  /** True without a start: it may still happen. */
  readonly isWaiting?: boolean
}

export interface PlacedSpan extends Span {
  readonly offset: number
  readonly width: number
  /** The place where this span usually ends. */
  readonly usualAt: number | null
}

export interface Waterfall {
  readonly scaleMs: number
  readonly ticks: readonly number[]
  readonly spans: readonly PlacedSpan[]
  readonly shares: readonly { readonly party: Party; readonly ms: number; readonly share: number }[]
}

const TICKS = 5
const ROUND = [1, 2, 2.5, 5, 10]
export const PARTIES: readonly Party[] = ['host', 'page', 'server', 'service']

/** The least round number of milliseconds for a tick, so that five of them hold everything. */
function roundTick(least: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return (ROUND.find((factor) => factor * magnitude >= least) ?? 10) * magnitude
}

export function placeSpans(spans: readonly Span[]): Waterfall {
  let end = 0
  const starts = spans.map((span) => {
    const start = span.startMs ?? end
    end = Math.max(end, start + (span.startMs === null ? (span.usualMs ?? 0) : span.durationMs))
    return start
  })
  const tick = roundTick(end / TICKS)
  const scaleMs = tick * TICKS
  const part = (ms: number) => Math.min(100, Math.round((ms / scaleMs) * 100_000) / 1000)
  const placed = spans.map((span, index) => {
    const start = starts[index] ?? 0
    const ms = span.startMs === null ? (span.usualMs ?? scaleMs / 20) : span.durationMs
    const isUsualKnown = span.usualMs !== undefined && span.startMs !== null
    return {
      ...span,
      offset: part(start),
      width: part(ms),
      usualAt: isUsualKnown ? part(start + (span.usualMs ?? 0)) : null,
    }
  })
  return { scaleMs, ticks: countTicks(tick), spans: placed, shares: sumShares(spans) }
}

const countTicks = (tick: number) => Array.from({ length: TICKS }, (_, index) => index * tick)

function sumShares(spans: readonly Span[]): Waterfall['shares'] {
  const sums = PARTIES.map((party) => ({
    party,
    ms: spans
      .filter((span) => span.party === party && span.startMs !== null)
      .reduce((sum, span) => sum + span.durationMs, 0),
  })).filter(({ ms }) => ms > 0)
  const total = sums.reduce((sum, { ms }) => sum + ms, 0)
  return sums.map(({ party, ms }) => ({ party, ms, share: (ms / total) * 100 }))
}

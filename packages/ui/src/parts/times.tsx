// Moments and durations as elements: local with the zone for reading, UTC in the tooltip, and the
// exact value in `datetime` for programs.
/** @jsxImportSource preact */
import { formatDuration, formatMoment, formatUtc, type TimeOptions } from '../rules/times.ts'

export interface TimestampProps extends TimeOptions {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly now: number
}

export function Timestamp({ at, now, ...options }: TimestampProps) {
  return (
    <time class="hinted" dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
      {formatMoment(at, now, options)}
    </time>
  )
}

export function Duration({ ms }: { readonly ms: number }) {
  return <time dateTime={`PT${ms / 1000}S`}>{formatDuration(ms)}</time>
}

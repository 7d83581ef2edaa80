// Moments and durations as elements: local with the zone for reading, UTC in the tooltip, and the
// exact value in `datetime` for programs.
/** @jsxImportSource preact */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { formatDuration, formatMoment, formatUtc, type TimeOptions } from '../rules/times.ts'

/** The zone of all moments below: an IANA name, or that of the browser. */
export const TimeZone = createContext<string | undefined>(undefined)

export interface TimestampProps extends TimeOptions {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly now: number
}

export function Timestamp({ at, now, ...options }: TimestampProps) {
  const timeZone = useContext(TimeZone)
  return (
    <time class="hinted" dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
      {formatMoment(at, now, { timeZone, ...options })}
    </time>
  )
}

export function Duration({ ms }: { readonly ms: number }) {
  return <time dateTime={`PT${ms / 1000}S`}>{formatDuration(ms)}</time>
}

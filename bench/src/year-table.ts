// The table of the scenario year: what each step took at two sizes, whether it grows in proportion, and what that
// makes for a year of 65 million launches and 200 million audit events. Pure.
import { alignColumns } from './report.ts'

export interface YearFigure {
  readonly name: string
  /** The number of rows that it worked through; absent for a figure that no number of rows makes. */
  readonly rows?: number
  readonly unit?: 'events' | 'launches' | 'rows'
  readonly seconds?: number
  readonly bytes?: number
}

const LAUNCHES_OF_YEAR = 65e6
const EVENTS_OF_YEAR = 200e6
const OF_YEAR = {
  launches: LAUNCHES_OF_YEAR,
  events: EVENTS_OF_YEAR,
  rows: LAUNCHES_OF_YEAR + EVENTS_OF_YEAR,
}

/** The cost of a row at the larger size, beside that at the smaller one. 1 is in proportion. */
export function growthOf(small: YearFigure, large: YearFigure): number {
  const costOf = ({ rows = 1, seconds, bytes = 0 }: YearFigure) => (seconds ?? bytes) / rows
  return costOf(large) / costOf(small)
}

export function buildYearTable([
  small = [],
  large = [],
]: readonly (readonly YearFigure[])[]): string {
  const lines = large.map((figure, at) => {
    const { name, rows, unit, seconds, bytes } = figure
    const before = small[at] ?? figure
    const amount = seconds ?? bytes ?? 0
    const ofYear = unit && rows ? (amount / rows) * OF_YEAR[unit] : undefined
    const show = (value: number) =>
      bytes === undefined ? formatSeconds(value) : formatBytes(value)
    return [
      name,
      rows && unit ? `${rows.toLocaleString('en-US')} ${unit}` : '',
      show(before.seconds ?? before.bytes ?? 0),
      show(amount),
      rows && seconds ? `${Math.round(rows / seconds).toLocaleString('en-US')}/s` : '',
      `${growthOf(before, figure).toFixed(2)} times`,
      ofYear === undefined ? '' : show(ofYear),
    ]
  })
  const heading = [
    '',
    'at the whole size',
    'a quarter',
    'the whole',
    'rate',
    'cost of a row',
    'a year',
  ]
  return `${alignColumns([heading, ...lines])}\nA year: 65 million launches and 200 million audit events, in proportion to the whole size.`
}

const formatSeconds = (seconds: number) =>
  seconds >= 7200
    ? `${(seconds / 3600).toFixed(1)} h`
    : seconds >= 120
      ? `${(seconds / 60).toFixed(0)} min`
      : seconds >= 1
        ? `${seconds.toFixed(1)} s`
        : `${(seconds * 1000).toFixed(0)} ms`

const formatBytes = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`

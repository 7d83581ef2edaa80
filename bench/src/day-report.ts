// The report of a clinic's day: a table along its hours, and the verdicts. Keeps both with the picture in
// .chartside/bench, also of a day that failed.
import type { DayShape } from './clinic-day.ts'
import { GROWING_TABLES } from './day-holdings.ts'
import { buildDayPicture } from './day-picture.ts'
import { countPassing, type Day, judgeDay } from './day-verdict.ts'
import { recordPrinted } from './docs-record.ts'
import type { PlayedPart } from './jobs.ts'
import { describeMachine } from './machine.ts'
import { alignColumns } from './report.ts'

const HOUR_MS = 3_600_000
const SHOWN_LINES = 24

export interface DayRun extends Day, DayShape {
  readonly seed: number
  readonly counts: PlayedPart['counts'] | undefined
}

/** Formats an hour, such as 09:30 for 9.5. */
export const timeOf = (hour: number) =>
  new Date(hour * HOUR_MS).toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length)

export function buildDayReport(day: DayRun): string {
  const { samples, dayMs, peak, seed, counts } = day
  const every = Math.max(1, Math.floor(samples.length / SHOWN_LINES))
  const shown = samples.filter((_, at) => at % every === 0 || at === samples.length - 1)
  const arrivals = samples.reduce((sum, one) => sum + one.arrivals, 0)
  const fixed = (value = Number.NaN, digits = 0) =>
    Number.isNaN(value) ? '' : value.toFixed(digits)
  const headings = ['time', 'arrivals/s', 'open pages', 'token p50 ms', 'p99 ms', 'MB', 'heap MB']
  return [
    `${describeMachine()}\nA day in ${(dayMs / HOUR_MS).toFixed(2)} h, at most ${peak.toFixed(1)} arrivals/s, seed ${seed}: ${arrivals} arrivals.`,
    Object.entries(counts ?? {})
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
    alignColumns([
      [...headings, 'descriptors', 'database MB', 'log MB', ...GROWING_TABLES, 'passing rows'],
      ...shown.map((one) => [
        ...[timeOf(one.hour), one.served.toFixed(1), String(one.openPages)],
        ...[fixed(one.steps.token?.p50Ms, 1), fixed(one.steps.token?.p99Ms, 1)],
        ...[fixed(one.megabytes), fixed(one.heapMegabytes), fixed(one.descriptors)],
        ...[fixed(one.databaseMegabytes), fixed(one.logMegabytes)],
        ...GROWING_TABLES.map((table) => fixed(one.rows[table])),
        fixed(countPassing(one)),
      ]),
    ]),
    alignColumns([
      ['', 'wanted', 'measured', ''],
      ...judgeDay(day).map((one) => [
        ...[one.name, one.wanted, one.measured],
        one.isGood ? 'ok' : 'FAILED',
      ]),
    ]),
  ].join('\n')
}

/** Prints the day and keeps its picture. Gives whether it went well. */
export function showDay(day: DayRun): boolean {
  const text = buildDayReport(day)
  process.stdout.write(`${text}\n`)
  recordPrinted('day.txt', text)
  recordPrinted('day.svg', buildDayPicture(day.samples))
  return judgeDay(day).every(({ isGood }) => isGood)
}

// Whether the samples of a service are those of a good day, with the limits that docs/inside/performance.md names.
// Pure; day.ts takes the samples.
import { DAY_STEPS, type DayStep, type Percentiles } from './jobs.ts'

/** The resources of the process and its database. Figures that the machine does not have are undefined. */
export interface Holdings {
  readonly megabytes: number | undefined
  readonly heapMegabytes: number | undefined
  readonly loopP99Ms: number | undefined
  readonly auditLagSeconds: number | undefined
  readonly descriptors: number | undefined
  /** The size of the embedded database. */
  readonly databaseMegabytes: number | undefined
  readonly logMegabytes: number | undefined
  /** The rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows that the sweep should have removed. */
  readonly overdue: number
}

export interface DaySample extends Holdings {
  /** The hour of the day, from 0 to 24. */
  readonly hour: number
  readonly arrivals: number
  /** A second. */
  readonly served: number
  /** The arrivals that were done within two seconds. */
  readonly inTime: number
  readonly steps: Readonly<Partial<Record<DayStep, Percentiles>>>
  readonly openPages: number
}

export interface Day {
  readonly samples: readonly DaySample[]
  /** The figures before the first arrival; `after` has them when every page is closed. */
  readonly before: Holdings
  readonly after: Holdings | undefined
  /** The commands that an operator runs, with the failure of each; undefined for well. */
  readonly commands: Readonly<Record<string, string | undefined>>
  /** The failure that ended the day early. */
  readonly failure: string | undefined
}

export interface DayVerdict {
  readonly name: string
  readonly wanted: string
  readonly measured: string
  readonly isGood: boolean
}

/** Tables whose rows end with what they are for, so that a day leaves none. */
export const PASSING_TABLES = [
  ...['session_subscriptions', 'session_notifications', 'sign_in_flows', 'browser_steps'],
  ...['client_assertions', 'logout_debts', 'rate_limits', 'invitations'],
] as const

/** The bound on the growth of the least memory, from the third quarter of a day to the fourth, which is quieter. */
const MAX_GROWTH_PERCENT = 15
/** The bound in MB. */
const MAX_HEAP_GROWTH = 10
const MAX_MORE_DESCRIPTORS = 16
const MAX_MORE_ROWS = 64
const MAX_P99_MS = 250
/** A password is slow to check on purpose. */
const MAX_SIGN_IN_MS = 1000
const MIN_IN_TIME_PERCENT = 90
/** Events get their place half a minute after they were written. */
const MAX_AUDIT_LAG_SECONDS = 120

export function judgeDay({ samples, before, after, commands, failure }: Day): DayVerdict[] {
  const verdicts: DayVerdict[] = []
  const add = (name: string, wanted: string, measured: string, isGood: boolean) =>
    verdicts.push({ name, wanted, measured, isGood })
  const atMost = (name: string, most: number, measured: number, unit = '') => {
    if (!Number.isFinite(measured)) return
    add(name, `at most ${most}${unit}`, `${measured.toFixed(0)}${unit}`, measured <= most)
  }
  const end = failure ?? 'until midnight'
  add('every answer as expected, no token lost', 'until midnight', end, failure === undefined)
  for (const [name, problem] of Object.entries(commands)) {
    add(name, 'exit code 0', problem ?? 'exit code 0', problem === undefined)
  }
  const evening = 'evening over afternoon'
  const memoryBefore = leastOf(samples, 12, 'megabytes')
  const growth = 100 * (leastOf(samples, 18, 'megabytes') / memoryBefore - 1)
  atMost(`least memory, ${evening}`, MAX_GROWTH_PERCENT, growth, ' % more')
  const heapGrowth = leastOf(samples, 18, 'heapMegabytes') - leastOf(samples, 12, 'heapMegabytes')
  atMost(`least heap, ${evening}`, MAX_HEAP_GROWTH, heapGrowth, ' MB more')
  if (after) {
    const more = (after.descriptors ?? Number.NaN) - (before.descriptors ?? Number.NaN)
    atMost('descriptors, with every page closed', MAX_MORE_DESCRIPTORS, more, ' more')
    const rows = countPassing(after) - countPassing(before)
    atMost('rows of passing tables, with every page closed', MAX_MORE_ROWS, rows, ' more')
    atMost('rows past their retention', 0, after.overdue)
  }
  const lag = Math.max(...samples.map(({ auditLagSeconds }) => auditLagSeconds ?? 0))
  atMost('age of an event that is in no audit chain', MAX_AUDIT_LAG_SECONDS, lag, ' s')
  const busy = samples
    .toSorted((a, b) => b.arrivals - a.arrivals)
    .slice(0, Math.ceil(samples.length / 4))
  for (const step of DAY_STEPS) {
    const p99 = medianOf(
      busy.map(({ steps }) => steps[step]?.p99Ms).filter((one) => one !== undefined),
    )
    const most = step === 'sign-in' ? MAX_SIGN_IN_MS : MAX_P99_MS
    atMost(`p99 of ${step} at the busiest`, most, p99, ' ms')
  }
  const [arrivals, inTime] = [sumOf(busy, (one) => one.arrivals), sumOf(busy, (one) => one.inTime)]
  if (arrivals > 0) {
    const percent = (100 * inTime) / arrivals
    const wanted = `at least ${MIN_IN_TIME_PERCENT} %`
    const isGood = percent >= MIN_IN_TIME_PERCENT
    add('arrivals within two seconds at the busiest', wanted, `${percent.toFixed(1)} %`, isGood)
  }
  return verdicts
}

export const countPassing = ({ rows }: Holdings) =>
  PASSING_TABLES.reduce((sum, table) => sum + (rows[table] ?? 0), 0)

/** Returns the least in the quarter of the day from that hour on; NaN when it has no sample. */
function leastOf(
  samples: readonly DaySample[],
  from: number,
  name: 'megabytes' | 'heapMegabytes',
): number {
  const quarter = samples.filter(({ hour }) => hour >= from && hour < from + 6)
  const values = quarter.map((sample) => sample[name] ?? Number.NaN)
  return values.length === 0 ? Number.NaN : Math.min(...values)
}

const sumOf = (samples: readonly DaySample[], take: (sample: DaySample) => number) =>
  samples.reduce((sum, sample) => sum + take(sample), 0)

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

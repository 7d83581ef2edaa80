// A clinic's day: how many arrivals each time of it has, and whether the samples of a service are those of a
// good day. Pure; day.ts plays the day.

/** Arrivals of each hour from midnight on, as a share of those at nine o'clock. */
const HOURS = [
  ...[0.02, 0.02, 0.02, 0.02, 0.02, 0.03, 0.08, 0.25],
  ...[0.6, 1, 0.85, 0.7, 0.35, 0.55, 0.7, 0.65],
  ...[0.5, 0.3, 0.12, 0.08, 0.06, 0.04, 0.03, 0.02],
]

/** The share of the peak at an hour of the day, such as 9.5; straight between two full hours. */
export function shareAt(hour: number): number {
  const from = Math.floor(hour) % 24
  const share = (at: number) => HOURS[at % 24] ?? 0
  const after = hour - Math.floor(hour)
  return share(from) * (1 - after) + share(from + 1) * after
}

export interface DaySample {
  /** Of the day, from 0 to 24. */
  readonly hour: number
  readonly arrivals: number
  /** Arrivals a second that were asked for, and that were served. */
  readonly asked: number
  readonly served: number
  /** Of the exchanges. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly megabytes: number | undefined
  readonly descriptors: number | undefined
  /** By table. */
  readonly rows: Readonly<Record<string, number>>
}

export interface DayVerdict {
  readonly name: string
  readonly wanted: string
  readonly measured: string
  readonly isGood: boolean
}

/** From the third quarter of a day to the fourth, which is quieter. */
const MAX_MEMORY_GROWTH = 0.15
const MAX_DESCRIPTOR_GROWTH = 16
const MAX_P99_MS = 250
/** Of the arrivals that were asked for at the busiest times. */
const MIN_SERVED = 0.9

/** `failure`: what ended the day early. Figures that the machine does not have are left out. */
export function judgeDay(samples: readonly DaySample[], failure?: string): DayVerdict[] {
  const verdicts: DayVerdict[] = [
    {
      name: 'every arrival as expected, no token lost',
      wanted: 'until midnight',
      measured: failure ?? 'until midnight',
      isGood: failure === undefined,
    },
  ]
  const add = (name: string, wanted: string, measured: number, unit: string, isGood: boolean) => {
    if (!Number.isNaN(measured)) {
      verdicts.push({ name, wanted, measured: `${measured.toFixed(1)}${unit}`, isGood })
    }
  }
  const quarter = (from: number) => samples.filter(({ hour }) => hour >= from && hour < from + 6)
  const megabytesOf = (from: number) => medianOf(quarter(from), ({ megabytes }) => megabytes)
  const memory = 100 * (megabytesOf(18) / megabytesOf(12) - 1)
  const isSmall = memory <= 100 * MAX_MEMORY_GROWTH
  add(
    'memory, evening over afternoon',
    `at most +${100 * MAX_MEMORY_GROWTH} %`,
    memory,
    ' %',
    isSmall,
  )
  const descriptorsOf = (from: number) => medianOf(quarter(from), ({ descriptors }) => descriptors)
  const more = descriptorsOf(18) - descriptorsOf(12)
  const isFew = more <= MAX_DESCRIPTOR_GROWTH
  add('descriptors, evening over afternoon', `at most +${MAX_DESCRIPTOR_GROWTH}`, more, '', isFew)
  const busy = samples.toSorted((a, b) => b.asked - a.asked).slice(0, Math.ceil(samples.length / 4))
  const p99 = medianOf(busy, ({ p99Ms }) => p99Ms)
  add(
    'p99 of an exchange at the busiest',
    `at most ${MAX_P99_MS} ms`,
    p99,
    ' ms',
    p99 <= MAX_P99_MS,
  )
  const served = 100 * medianOf(busy, (sample) => sample.served / sample.asked)
  const isServed = served >= 100 * MIN_SERVED
  add(
    'served of the arrivals at the busiest',
    `at least ${100 * MIN_SERVED} %`,
    served,
    ' %',
    isServed,
  )
  return verdicts
}

function medianOf(
  samples: readonly DaySample[],
  take: (sample: DaySample) => number | undefined,
): number {
  const values = samples.map((sample) => take(sample) ?? Number.NaN).toSorted((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}

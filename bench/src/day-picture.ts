// Draws a day as an SVG that is readable on light and on dark pages: one chart below the other, all along the
// hours of the day. Pure.
import { GROWING_TABLES } from './day-holdings.ts'
import type { DaySample } from './day-verdict.ts'
import { DAY_STEPS, type DayStep } from './jobs.ts'
import { escapeXml } from './picture.ts'

const WIDTH = 860
const LEFT = 90
const RIGHT = 220
const HEIGHT = 120
const GAP = 46
const TOP = 56
/** The distance between two names of lines. */
const LINE = 17
const HOURS_SHOWN = [0, 3, 6, 9, 12, 15, 18, 21, 24]

interface Chart {
  readonly title: string
  readonly lines: Readonly<Record<string, (sample: DaySample) => number | undefined>>
}

const p99Of =
  (step: DayStep) =>
  ({ steps }: DaySample) =>
    steps[step]?.p99Ms

const CHARTS: readonly Chart[] = [
  { title: 'Arrivals a second', lines: { arrivals: ({ served }) => served } },
  {
    title: 'p99, ms',
    lines: {
      ...Object.fromEntries(
        DAY_STEPS.filter((step) => step !== 'sign-in').map((step) => [step, p99Of(step)]),
      ),
      'event loop': ({ loopP99Ms }) => loopP99Ms,
    },
  },
  { title: 'p99 of a sign-in with its password, ms', lines: { 'sign-in': p99Of('sign-in') } },
  {
    title: 'Memory, MB',
    lines: { resident: ({ megabytes }) => megabytes, heap: ({ heapMegabytes }) => heapMegabytes },
  },
  {
    title: 'Open files and pages',
    lines: { descriptors: ({ descriptors }) => descriptors, pages: ({ openPages }) => openPages },
  },
  {
    title: 'Rows',
    lines: Object.fromEntries(
      GROWING_TABLES.map((table) => [table, ({ rows }: DaySample) => rows[table]]),
    ),
  },
  {
    title: 'Rows past their retention',
    lines: { overdue: ({ overdue }) => overdue },
  },
  {
    title: 'Files of the database, MB',
    lines: {
      database: ({ databaseMegabytes }) => databaseMegabytes,
      'write-ahead log': ({ logMegabytes }) => logMegabytes,
    },
  },
]

export function buildDayPicture(samples: readonly DaySample[]): string {
  const charts = CHARTS.filter(({ lines }) =>
    Object.values(lines).some((take) => samples.some((one) => take(one) !== undefined)),
  )
  const height = TOP + charts.length * (HEIGHT + GAP)
  const drawn = charts.map((chart, at) => drawChart(chart, samples, TOP + at * (HEIGHT + GAP)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t">
<title id="t">A day of a clinic: arrivals, latencies, memory, open files, rows and the database</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.left { text-anchor: end }
.middle { text-anchor: middle }
.axis { stroke: #6e7781; fill: none }
.line { stroke-width: 2; fill: none }
.l0 { stroke: #0b6e6e }
.l1 { stroke: #b35900 }
.l2 { stroke: #5b5bd6 }
.l3 { stroke: #b3306e }
.l4 { stroke: #6b7280 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.axis { stroke: #9aa4af }
.l0 { stroke: #3fb8b0 }
.l1 { stroke: #f0a050 }
.l2 { stroke: #a0a0ff }
.l3 { stroke: #f07ab0 }
.l4 { stroke: #b6bec8 }
}
</style>
<text x="8" y="22">Along the hours of the day, from midnight to midnight.</text>
${drawn.join('\n')}
</svg>
`
}

function drawChart({ title, lines }: Chart, samples: readonly DaySample[], top: number): string {
  const drawn = Object.entries(lines).map(([name, take], at) => {
    const points = samples.flatMap((one) => {
      const value = take(one)
      return value === undefined ? [] : [{ hour: one.hour, value }]
    })
    const most = Math.max(0, ...points.map(({ value }) => value))
    return { name, at, points, most, last: points.at(-1)?.value ?? 0 }
  })
  const most = Math.max(...drawn.map((line) => line.most)) || 1
  const bottom = top + HEIGHT
  const x = (hour: number) => LEFT + (hour / 24) * (WIDTH - LEFT - RIGHT)
  const y = (value: number) => bottom - (value / most) * (HEIGHT - 14)
  const parts = [
    `<text x="8" y="${top}" class="title">${escapeXml(title)}</text>`,
    `<path d="M${LEFT} ${top + 14}V${bottom}H${WIDTH - RIGHT}" class="axis"/>`,
    `<text x="${LEFT - 6}" y="${y(most) + 5}" class="left">${formatValue(most)}</text>`,
    `<text x="${LEFT - 6}" y="${bottom + 4}" class="left">0</text>`,
    ...HOURS_SHOWN.map(
      (hour) => `<text x="${x(hour)}" y="${bottom + 16}" class="middle">${hour}</text>`,
    ),
  ]
  for (const { at, points } of drawn) {
    const places = points.map(({ hour, value }) => `${x(hour).toFixed(1)} ${y(value).toFixed(1)}`)
    if (places.length > 0) parts.push(`<path d="M${places.join('L')}" class="line l${at}"/>`)
  }
  const named = drawn.toSorted((one, other) => other.last - one.last)
  const heights = spread(
    named.map(({ last }) => y(last)),
    bottom,
  )
  for (const [index, { name, at, most }] of named.entries()) {
    const height = heights[index] ?? bottom
    const text = escapeXml(`${name}, max ${formatValue(most)}`)
    parts.push(
      `<path d="M${WIDTH - RIGHT + 8} ${height}h12" class="line l${at}"/>`,
      `<text x="${WIDTH - RIGHT + 26}" y="${height + 4}">${text}</text>`,
    )
  }
  return parts.join('\n')
}

/** Spreads heights from top to bottom, at least a line of text apart and not below `bottom`. */
function spread(heights: readonly number[], bottom: number): number[] {
  const spread = [...heights]
  for (let at = 1; at < spread.length; at += 1) {
    spread[at] = Math.max(spread[at] ?? 0, (spread[at - 1] ?? 0) + LINE)
  }
  let lowest = bottom
  for (let at = spread.length - 1; at >= 0; at -= 1) {
    spread[at] = Math.min(spread[at] ?? 0, lowest)
    lowest = (spread[at] ?? 0) - LINE
  }
  return spread
}

const formatValue = (value: number) =>
  value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(1)

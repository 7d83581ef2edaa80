// Draws a day as an SVG that is readable on light and on dark pages: one chart below the other, all along the
// hours of the day. Pure.
import { GROWING_TABLES } from './day-holdings.ts'
import type { DaySample } from './day-verdict.ts'
import { DAY_STEPS } from './jobs.ts'
import { escapeXml } from './picture.ts'

const WIDTH = 820
const LEFT = 90
const RIGHT = 150
const HEIGHT = 120
const GAP = 46
const TOP = 30
const HOURS_SHOWN = [0, 3, 6, 9, 12, 15, 18, 21, 24]

interface Chart {
  readonly title: string
  readonly lines: Readonly<Record<string, (sample: DaySample) => number | undefined>>
}

const CHARTS: readonly Chart[] = [
  { title: 'Arrivals a second', lines: { arrivals: ({ served }) => served } },
  {
    title: 'p99, ms',
    lines: Object.fromEntries(
      DAY_STEPS.map((step) => [step, ({ steps }: DaySample) => steps[step]?.p99Ms]),
    ),
  },
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
    title: 'Launches past their retention',
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
${drawn.join('\n')}
</svg>
`
}

function drawChart({ title, lines }: Chart, samples: readonly DaySample[], top: number): string {
  const values = Object.values(lines).flatMap((take) => samples.map((one) => take(one) ?? 0))
  const most = Math.max(...values) || 1
  const bottom = top + HEIGHT
  const x = (hour: number) => LEFT + (hour / 24) * (WIDTH - LEFT - RIGHT)
  const y = (value: number) => bottom - (value / most) * (HEIGHT - 14)
  const place = (...at: readonly number[]) => at.map((one) => one.toFixed(1)).join(' ')
  const parts = [
    `<text x="8" y="${top}" class="title">${escapeXml(title)}</text>`,
    `<path d="M${LEFT} ${top + 14}V${bottom}H${WIDTH - RIGHT}" class="axis"/>`,
    `<text x="${LEFT - 6}" y="${y(most) + 5}" class="left">${formatValue(most)}</text>`,
    `<text x="${LEFT - 6}" y="${bottom + 4}" class="left">0</text>`,
    ...HOURS_SHOWN.map(
      (hour) => `<text x="${x(hour)}" y="${bottom + 16}" class="middle">${hour}</text>`,
    ),
  ]
  // Names of lines that end close together stand below one another.
  let free = Number.NEGATIVE_INFINITY
  const ends = Object.entries(lines)
    .map(([name, take], at) => {
      const points = samples.flatMap((one) => {
        const value = take(one)
        return value === undefined ? [] : [place(x(one.hour), y(value))]
      })
      if (points.length > 0) parts.push(`<path d="M${points.join('L')}" class="line l${at}"/>`)
      const last = samples.at(-1)
      return { name, value: (last && take(last)) ?? 0 }
    })
    .sort((one, other) => other.value - one.value)
  for (const { name, value } of ends) {
    free = Math.max(y(value) + 4, free + 15)
    const text = escapeXml(`${name} ${formatValue(value)}`)
    parts.push(`<text x="${WIDTH - RIGHT + 6}" y="${free}">${text}</text>`)
  }
  return parts.join('\n')
}

const formatValue = (value: number) =>
  value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(1)

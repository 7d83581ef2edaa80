// The charts of the overview: launches with failures and numbered changes, and the time until ready. Under each chart
// its values stand as a table too.
/** @jsxImportSource preact */
import type { HealthOverview } from '@chartside/protocol/payloads'
import { formatCount, Timestamp } from '@chartside/ui'
import { formatClock, formatDate, formatDuration } from '@chartside/ui/times'
import { BarChart, LineChart } from '../../parts/chart.tsx'
import { ChartTable } from '../../parts/chart-table.tsx'
import { describeChange, describeTaken } from './health-words.ts'

const SLOT_NAMES: Readonly<Record<number, string>> = {
  5: 'Launches in five minutes',
  60: 'Launches per hour',
  360: 'Launches in six hours',
}

type Slot = HealthOverview['slots'][number]

export function HealthCharts({ overview }: { readonly overview: HealthOverview }) {
  const { slots, from, to, changes } = overview
  const [begun, ended] = [Date.parse(from), Date.parse(to)]
  const [now] = [Date.now()]
  const ends = { from: describeEnd(begun, now), to: describeEnd(ended, now) }
  const slotMs = overview.slotMinutes * 60_000
  const shareOf = (at: string) => (Date.parse(at) - begun) / (slots.length * slotMs)
  const title = SLOT_NAMES[overview.slotMinutes] ?? 'Launches'
  const failed = slots.reduce((all, one) => all + one.failed, 0)
  const total = slots.reduce((all, one) => all + one.launches, 0)
  return (
    <div class="health-pair">
      <figure class="card padded" aria-label={title}>
        <figcaption>
          <strong>{title}</strong>
          <ul class="chart-legend">
            <li class="of-ready">not failed</li>
            <li class="of-failed">failed</li>
            <li class="of-usual">usual</li>
          </ul>
        </figcaption>
        <BarChart
          label={`${title}: ${formatCount(total)}, of which ${formatCount(failed)} failed. The table below has the values.`}
          {...ends}
          bars={slots.map((one) => ({
            total: one.launches,
            marked: one.failed,
            usual: one.usualLaunches,
          }))}
          marks={changes.map(({ at }, k) => ({ number: k + 1, share: shareOf(at) }))}
        />
        {changes.length > 0 && (
          <ol class="chart-changes" aria-label="Changes in this time">
            {changes.map((change, k) => (
              <li key={`${change.kind} ${change.what.id} ${change.at}`}>
                <span class="chart-number">{k + 1}</span>
                <span dir="auto">
                  {describeChange(change)}, <Timestamp at={Date.parse(change.at)} now={now} />.{' '}
                  {describeTaken(change)}
                  <OlderVersions change={change} />
                </span>
              </li>
            ))}
          </ol>
        )}
        <ChartTable title={title} slots={slots} columns={COUNTS} />
      </figure>
      <figure class="card padded" aria-label="Time until ready">
        <figcaption>
          <strong>Time until ready</strong>
          <ul class="chart-legend">
            <li class="of-most">95 % within</li>
            <li class="of-half">half within</li>
          </ul>
        </figcaption>
        <LineChart
          label="Time until an app is ready. The table below has the values."
          {...ends}
          formatTop={formatDuration}
          lines={[
            { name: 'most', values: slots.map(({ mostWithinMs }) => mostWithinMs) },
            { name: 'half', values: slots.map(({ halfWithinMs }) => halfWithinMs) },
          ]}
        />
        <ChartTable title="Time until ready" slots={slots} columns={TIMES} />
      </figure>
    </div>
  )
}

type Change = HealthOverview['changes'][number]

/** The practices of the reader that have not taken the version; of one practice the sentence says it. */
function OlderVersions({ change: { detail, taken } }: { readonly change: Change }) {
  if (!taken || taken.of < 2 || taken.older.length === 0) return null
  const more = taken.of - taken.by - taken.older.length
  return (
    <details>
      <summary>Without version {detail}</summary>
      <ul>
        {taken.older.map(({ practice, version }) => (
          <li key={practice.id}>
            <bdi>{practice.name}</bdi>, {version === 0 ? 'no version yet' : `version ${version}`}
          </li>
        ))}
        {more > 0 && <li class="quiet">and {formatCount(more)} more</li>}
      </ul>
    </details>
  )
}

/** Describes an end as “Nov 26, 4:00 PM”: a chart needs no seconds. */
const describeEnd = (at: number, now: number): string =>
  `${formatDate(at, now)}, ${formatClock(at)}`

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

const COUNTS = [
  { label: 'Launches', render: ({ launches }: Slot) => formatCount(launches) },
  { label: 'Failed', render: ({ failed }: Slot) => formatCount(failed) },
  {
    label: 'Usual',
    render: ({ usualLaunches: usual }: Slot) => (usual === null ? '–' : formatCount(usual)),
  },
]

const TIMES = [
  { label: 'Half within', render: ({ halfWithinMs }: Slot) => duration(halfWithinMs) },
  { label: '95 % within', render: ({ mostWithinMs }: Slot) => duration(mostWithinMs) },
]

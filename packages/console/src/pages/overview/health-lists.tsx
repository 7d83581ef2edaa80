// The lists of the overview: practices and apps, worst first, each with its share of ready launches over the time as a
// small line, and where these lines leave 100 % as a table; and the parts of the service.
/** @jsxImportSource preact */
import type { HealthOverview } from '@chartside/protocol/payloads'
import { type Column, formatCount, Pill, Table, Timestamp } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { Sparkline } from '../../parts/chart.tsx'
import { timeColumn } from '../../parts/columns.tsx'
import { percent } from '../../parts/percent.ts'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'
import { SERVICE_NAMES } from './health-words.ts'

interface ListProps {
  readonly overview: HealthOverview
  readonly scope: Scope
}

interface Point {
  readonly id: string
  readonly name: string
  readonly at: string | null
  readonly share: number
}

interface Ranked {
  readonly id: string
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly launches: number
  readonly failed: number
  readonly readyShare: number | null
  readonly readyShares: readonly (number | null)[]
  readonly worst: string | undefined
}

export function HealthLists({ overview, scope }: ListProps) {
  const practices = overview.practices.map(
    ({ practice, worstApp, ...one }): Ranked => ({
      ...{ ...practice, ...one, query: { practiceId: practice.id }, worst: worstApp?.name },
    }),
  )
  const apps = overview.apps.map(
    ({ app, worstPractice, ...one }): Ranked => ({
      ...{ ...app, ...one, query: { appId: app.id }, worst: worstPractice?.name },
    }),
  )
  const times = overview.slots.map(({ at }) => at)
  return (
    <>
      {practices.length > 1 && (
        <RankedList kind="Practice" rows={practices} scope={scope} times={times} />
      )}
      {apps.length > 1 && (
        <RankedList
          kind="App"
          rows={apps}
          scope={scope}
          times={times}
          isOfOne={practices.length < 2}
        />
      )}
    </>
  )
}

const FAILED: Column<Ranked> = {
  id: 'failed',
  label: 'Failed',
  isNumber: true,
  render: ({ failed }) => formatCount(failed),
}

const WORST: Column<Ranked> = {
  id: 'worst',
  label: 'Fails most',
  render: ({ worst, failed }) =>
    worst === undefined ? (
      <span class="quiet">None</span>
    ) : (
      <span>
        <bdi>{worst}</bdi>
        <span class="below">{formatCount(failed)} failed in all</span>
      </span>
    ),
}

interface RankedListProps {
  readonly kind: 'Practice' | 'App'
  readonly rows: readonly Ranked[]
  readonly scope: Scope
  readonly times: readonly string[]
  /** All of them are of one practice. */
  readonly isOfOne?: boolean
}

function RankedList({ kind, rows, scope, times, isOfOne = false }: RankedListProps) {
  const isOpen = useSignal(false)
  const address = (query: Ranked['query']) =>
    scopedAddress(scope, `launches?${new URLSearchParams({ ...query, in: 'week' })}`)
  const columns: Column<Ranked>[] = [
    {
      id: 'name',
      label: kind,
      render: ({ query, name }) => (
        <a href={address(query)} dir="auto">
          {name}
        </a>
      ),
    },
    {
      id: 'launches',
      label: 'Launches',
      isNumber: true,
      render: ({ launches }) => formatCount(launches),
    },
    {
      id: 'ready',
      label: 'Ready',
      isNumber: true,
      render: ({ name, readyShare, readyShares }) => (
        <span class="with-sparkline">
          <Sparkline label={describeLine(name, readyShares)} values={readyShares} />
          {readyShare === null ? '–' : percent(readyShare)}
        </span>
      ),
    },
    isOfOne ? FAILED : WORST,
  ]
  return (
    <div class="card list-card">
      <Table
        caption={`${kind}s, worst first`}
        rows={rows}
        rowId={({ id }) => id}
        columns={columns}
      />
      <details
        class="padded"
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>Failures of the {kind.toLowerCase()}s by time as a table</summary>
        {isOpen.value && <LineTable kind={kind} rows={rows} times={times} />}
      </details>
    </div>
  )
}

function describeLine(name: string, shares: Ranked['readyShares']): string {
  const known = shares.filter((share) => share !== null)
  const lowest = known.length === 0 ? '' : `, lowest ${percent(Math.min(...known))}`
  return `${name} over the time${lowest}. The table below has the values.`
}

/** The table leaves out the times at which all were ready, or none was opened. */
function LineTable({ kind, rows, times }: Omit<RankedListProps, 'scope'>) {
  const points = rows.flatMap(({ id, name, readyShares }) =>
    readyShares.flatMap((share, k): Point[] =>
      share === null || share === 1
        ? []
        : [{ id: `${id} ${k}`, name, at: times[k] ?? null, share }],
    ),
  )
  return (
    <Table
      caption={`Failures of the ${kind.toLowerCase()}s by time`}
      isCaptionHidden
      rows={points}
      rowId={({ id }) => id}
      columns={[
        { id: 'name', label: kind, render: ({ name }) => <bdi>{name}</bdi> },
        timeColumn<Point>('at', 'From', ({ at }) => at),
        { id: 'ready', label: 'Ready', isNumber: true, render: ({ share }) => percent(share) },
      ]}
    />
  )
}

const STATES = {
  good: { label: 'Well', tone: 'good', icon: 'check' },
  bad: { label: 'Look at it', tone: 'bad', icon: 'alert' },
  unknown: { label: 'Not set up or never seen', tone: 'quiet', icon: 'clock' },
} as const

export function ServiceParts({ overview: { service } }: Pick<ListProps, 'overview'>) {
  return (
    <div class="card list-card">
      <Table
        caption="The service"
        rows={service}
        rowId={({ name }) => name}
        columns={[
          { id: 'part', label: 'Part', render: ({ name }) => SERVICE_NAMES[name] },
          {
            id: 'state',
            label: 'State',
            render: ({ state }) => {
              const { label, ...shown } = STATES[state]
              return <Pill {...shown}>{label}</Pill>
            },
          },
          {
            id: 'last',
            label: 'Last',
            render: ({ at, tookMs }) => <Last at={at} tookMs={tookMs} />,
          },
          { id: 'next', label: 'Next', render: ({ nextAt }) => <Last at={nextAt} tookMs={null} /> },
        ]}
      />
    </div>
  )
}

function Last({ at, tookMs }: Pick<HealthOverview['service'][number], 'at' | 'tookMs'>) {
  if (at !== null) return <Timestamp at={Date.parse(at)} now={Date.now()} />
  return tookMs === null ? <span class="quiet">–</span> : <>answers in {formatDuration(tookMs)}</>
}

// The list of launches: failures grouped by cause first, the outcomes as filters with counts, then the rows
// with a strip of steps, newest first, as they come. A trace id leads to its launch.
/** @jsxImportSource preact */
import { Button, EmptyState, formatCount, Pill, SelectField } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  type LaunchFilter,
  listCauses,
  listLaunches,
  summarizeLaunches,
} from '../../api/launches.ts'
import { useShortcut } from '../../keys/shortcuts.ts'
import { useRecord } from '../../load/use-record.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { LateSkeleton } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ProblemPage } from '../../parts/problem-page.tsx'
import { TimeZoneSwitch } from '../../parts/time-zone-switch.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { CausesCard } from './causes-card.tsx'
import { FindLaunch } from './find-launch.tsx'
import { LaunchPickers } from './launch-pickers.tsx'
import { LaunchTable } from './launch-table.tsx'
import { type Tail, useTail } from './use-tail.ts'

const WINDOWS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
const SUMMARY_EVERY_MS = 5000

export default function LaunchesPage({ scope }: PageProps) {
  const { query } = place.value
  const outcome = query.get('outcome') ?? ''
  const reason = query.get('reason') ?? undefined
  const appId = query.get('appId') ?? undefined
  const practiceId = query.get('practiceId') ?? undefined
  const windowName =
    (['hour', 'day', 'week'] as const).find((name) => name === query.get('in')) ?? 'day'
  const accountId = scope.kind === 'account' ? scope.id : (query.get('accountId') ?? undefined)
  const filter: LaunchFilter = { accountId, reason, appId, practiceId }
  const key = JSON.stringify([filter, outcome, windowName])
  const from = () => new Date(Date.now() - WINDOWS[windowName]).toISOString()
  const frame = useRef<HTMLDivElement>(null)
  const isInside = useRef(false)
  const isReading = () =>
    scrollY > 120 || isInside.current || frame.current?.contains(document.activeElement) === true
  const tail = useTail(
    (asked, options) =>
      listLaunches({ ...filter, outcome, ...asked, from: asked.from ?? from() }, options),
    key,
    isReading,
  )
  const isEmpty = useComputed(() => tail.rows.value.length === 0)
  const hasPractices = useComputed(() =>
    tail.rows.value.some(({ account }) => account.id !== scope.id),
  )
  const summary = useRecord(
    (signal) => summarizeLaunches({ ...filter, from: from() }, { signal, isBackground: true }),
    key,
  )
  const causes = useRecord(
    (signal) =>
      listCauses({ accountId, appId, practiceId, from: from() }, { signal, isBackground: true }),
    key,
  )
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return
      summary.reload()
      causes.reload()
    }, SUMMARY_EVERY_MS)
    return () => clearInterval(timer)
  }, [key])
  useShortcut({ keys: 'f', label: 'Failed launches only', group: 'On this page' }, () =>
    setQuery({ outcome: outcome === 'failed' ? undefined : 'failed' }),
  )

  const counts = summary.data?.outcomes
  const option = (value: string, label: string, count: number | undefined) => ({
    value,
    label,
    count,
  })
  const { data } = summary
  const rate = data?.successRate
  const about = data
    ? [
        `${data.isCapped ? 'the newest ' : ''}${data.launches === 1 ? '1 launch' : `${formatCount(data.launches)} launches`}`,
        ...(typeof rate === 'number' ? [`${Math.round(rate * 100)} % ready`] : []),
        ...(data.toReady ? [`median ${formatDuration(data.toReady.p50Ms)}`] : []),
      ].join(' · ')
    : undefined
  const isNarrowed =
    reason !== undefined ||
    appId !== undefined ||
    practiceId !== undefined ||
    outcome !== '' ||
    (scope.kind === 'platform' && accountId !== undefined)
  return (
    <>
      <PageHead
        title="Launches"
        about={about}
        actions={
          tail.problem.value ? (
            <Pill tone="warn" icon="alert">
              Not live now
            </Pill>
          ) : tail.waiting.value > 0 ? (
            <Pill tone="quiet" icon="clock">
              Waits while you read
            </Pill>
          ) : (
            <Pill tone="accent" icon="live">
              Live
            </Pill>
          )
        }
      />
      <div class="launch-finders">
        <FindLaunch
          accountId={accountId}
          address={(id) => scopedAddress(scope, `launches/${id}`)}
        />
        <LaunchPickers
          key={scope.id}
          scope={scope}
          shown={() => tail.rows.peek()}
          hasPractices={hasPractices.value || practiceId !== undefined}
          from={from}
        />
      </div>
      {causes.data && <CausesCard causes={causes.data} scope={scope} />}
      <div class="launch-filters">
        <FilterChips
          label="Outcome"
          value={outcome}
          onChange={(value) => setQuery({ outcome: value === outcome ? undefined : value })}
          options={[
            option('', 'All', undefined),
            { ...option('failed', 'Failed', counts?.failed), icon: 'cross' },
            { ...option('opening', 'Opening', counts?.opening), icon: 'half' },
            { ...option('ready', 'Ready', counts?.ready), icon: 'check' },
            { ...option('ended', 'Ended', counts?.ended), icon: 'square' },
          ]}
        />
        <SelectField
          label="Time"
          name="in"
          value={windowName}
          options={[
            { value: 'hour', label: 'Last hour' },
            { value: 'day', label: 'Last day' },
            { value: 'week', label: 'Last week' },
          ]}
          onChange={(value) => setQuery({ in: value })}
        />
        <TimeZoneSwitch />
        {reason !== undefined && (
          <Button isCompact onPress={() => setQuery({ reason: undefined })}>
            Show every cause
          </Button>
        )}
      </div>
      {tail.waiting.value > 0 && (
        <p class="new-launches">
          <Button
            isCompact
            onPress={() => {
              tail.showWaiting()
              scrollTo({ top: 0 })
            }}
          >
            {tail.waiting.value} new
          </Button>
        </p>
      )}
      <div
        ref={frame}
        onPointerEnter={() => {
          isInside.current = true
        }}
        onPointerLeave={() => {
          isInside.current = false
        }}
      >
        {tail.problem.value && !tail.isLoaded ? (
          <ProblemPage
            problem={tail.problem.value}
            what="the launches"
            onRetry={() => location.reload()}
          />
        ) : !tail.isLoaded ? (
          <LateSkeleton what="the launches" />
        ) : isEmpty.value ? (
          <div class="card">
            {isNarrowed ? (
              <EmptyState icon="search" title="No launch matches">
                Choose another outcome or a longer time.
              </EmptyState>
            ) : (
              <EmptyState icon="bolt" title="No launches yet">
                A launch appears here when a provider opens an EHR page that your collection covers.
                {isAllowedIn(scope, 'develop') && (
                  <>
                    {' '}
                    To try it, run <code>npm run tool -- create-app</code> and open the sandbox.
                  </>
                )}
              </EmptyState>
            )}
          </div>
        ) : (
          <TailTable tail={tail} scope={scope} />
        )}
      </div>
      {tail.isLoaded && tail.hasMore.value && (
        <p class="more-row">
          <Button onPress={tail.loadMore}>Show more</Button>
        </p>
      )}
    </>
  )
}

/** Apart from the page, which is not built again for each row. */
const TailTable = ({ tail, scope }: { readonly tail: Tail; readonly scope: Scope }) => (
  <LaunchTable rows={tail.rows.value} scope={scope} />
)

// The list of launches: failures grouped by cause first, the outcomes as filters with counts, then the rows
// with a strip of steps, newest first, as they come. A trace id leads to its launch.
/** @jsxImportSource preact */
import type { LaunchSummary } from '@chartside/protocol/payloads'
import { Button, EmptyState, Pill } from '@chartside/ui'
import { useComputed } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { listLaunches } from '../../api/launches.ts'
import { useShortcut } from '../../keys/shortcuts.ts'
import { ContactAdministrator } from '../../parts/contact-administrator.tsx'
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
import { LaunchHistogram } from './launch-histogram.tsx'
import {
  describeSummary,
  isOver,
  type ListedLaunches,
  readListedLaunches,
  timeOf,
} from './launch-list.ts'
import { LaunchView } from './launch-page.tsx'
import { hasRoom, LaunchPane, openedLaunch } from './launch-pane.tsx'
import { LaunchPickers } from './launch-pickers.tsx'
import { LaunchTable } from './launch-table.tsx'
import type { LaunchTail } from './launch-tail.ts'
import { LaunchTime } from './launch-time.tsx'
import { useCounts } from './use-counts.ts'
import { type FollowedTail, useTail } from './use-tail.ts'

/** The person reads further down the page, not what comes at its top. */
const READING_BELOW_PX = 120

export default function LaunchesPage({ scope }: PageProps) {
  const opened = openedLaunch()
  // Where both have no room, the launch is the page.
  if (opened !== undefined && !hasRoom.value) return <LaunchView id={opened} scope={scope} />
  return <LaunchList scope={scope} opened={opened} />
}

interface LaunchListProps {
  readonly scope: Scope
  /** The launch that is shown beside the list. */
  readonly opened: string | undefined
}

function LaunchList({ scope, opened }: LaunchListProps) {
  const listed = readListedLaunches(place.value.query, scope)
  const { filter, outcome } = listed
  const time = () => timeOf(listed, Date.now())
  const frame = useRef<HTMLDivElement>(null)
  const isPointerInside = useRef(false)
  const followed = useTail(listed.key, {
    load: (page, options) => listLaunches({ ...filter, outcome, ...time(), ...page }, options),
    isOver: () => isOver(listed, Date.now()),
    isReading: () =>
      opened !== undefined ||
      scrollY > READING_BELOW_PX ||
      isPointerInside.current ||
      frame.current?.contains(document.activeElement) === true,
  })
  const { tail, isLoaded } = followed
  const { summary, causes } = useCounts(listed)
  const hasPractices = useComputed(() =>
    tail.rows.value.some(({ account }) => account.id !== scope.id),
  )
  const hasPeople = useComputed(() =>
    tail.rows.value.some(({ userName }) => userName !== undefined),
  )
  useShortcut({ keys: 'f', label: 'Failed launches only', group: 'On this page' }, () =>
    setQuery({ outcome: outcome === 'failed' ? undefined : 'failed' }),
  )
  return (
    <>
      <PageHead
        title="Launches"
        about={summary && describeSummary(summary)}
        actions={
          <>
            <TimeZoneSwitch />
            {!isOver(listed, Date.now()) && <LiveState tail={tail} />}
          </>
        }
      />
      <div class={`launch-split ${opened === undefined ? '' : 'open'}`}>
        <div class="launch-list">
          <div class="launch-finders">
            <FindLaunch
              accountId={filter.accountId}
              address={(id) => scopedAddress(scope, `launches/${id}`)}
            />
            <LaunchPickers
              key={scope.id}
              scope={scope}
              shown={() => tail.rows.peek()}
              hasPractices={hasPractices.value || filter.practiceId !== undefined}
              hasPeople={hasPeople.value || filter.userId !== undefined}
              time={time}
            />
          </div>
          <LaunchHistogram listed={listed} summary={summary} />
          {causes && <CausesCard causes={causes} scope={scope} />}
          <LaunchFilters listed={listed} summary={summary} />
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
          <TailFrame
            frame={frame}
            followed={followed}
            scope={scope}
            hasFilter={listed.hasFilter}
            onPointer={(isInside) => {
              isPointerInside.current = isInside
            }}
          />
          {isLoaded && tail.hasMore.value && (
            <p class="more-row">
              <Button onPress={() => void tail.loadMore()}>Show more</Button>
            </p>
          )}
        </div>
        {opened !== undefined && <LaunchPane id={opened} scope={scope} />}
      </div>
    </>
  )
}

function LiveState({ tail }: { readonly tail: LaunchTail }) {
  if (tail.problem.value) {
    return (
      <Pill tone="warn" icon="alert">
        Not live now
      </Pill>
    )
  }
  return tail.waiting.value > 0 ? (
    <Pill tone="quiet" icon="clock">
      Waits while you read
    </Pill>
  ) : (
    <Pill tone="accent" icon="live">
      Live
    </Pill>
  )
}

interface LaunchFiltersProps {
  readonly listed: ListedLaunches
  readonly summary: LaunchSummary | undefined
}

function LaunchFilters({ listed, summary }: LaunchFiltersProps) {
  const { outcome, filter } = listed
  const counts = summary?.outcomes
  return (
    <div class="launch-filters">
      <FilterChips
        label="Outcome"
        value={outcome}
        onChange={(value) => setQuery({ outcome: value === outcome ? undefined : value })}
        options={[
          { value: '', label: 'All' },
          { value: 'failed', label: 'Failed', count: counts?.failed, icon: 'cross' },
          { value: 'opening', label: 'Opening', count: counts?.opening, icon: 'half' },
          { value: 'ready', label: 'Ready', count: counts?.ready ?? undefined, icon: 'check' },
          { value: 'ended', label: 'Ended', count: counts?.ended ?? undefined, icon: 'square' },
        ]}
      />
      <LaunchTime listed={listed} />
      {filter.reason !== undefined && (
        <Button isCompact onPress={() => setQuery({ reason: undefined })}>
          Show every cause
        </Button>
      )}
    </div>
  )
}

interface TailRowsProps {
  readonly followed: FollowedTail
  readonly scope: Scope
  readonly hasFilter: boolean
}

interface TailFrameProps extends TailRowsProps {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly onPointer: (isInside: boolean) => void
}

const TailFrame = ({ frame, onPointer, ...rows }: TailFrameProps) => (
  <div ref={frame} onPointerEnter={() => onPointer(true)} onPointerLeave={() => onPointer(false)}>
    <TailRows {...rows} />
  </div>
)

function TailRows({ followed: { tail, isLoaded }, scope, hasFilter }: TailRowsProps) {
  const isEmpty = useComputed(() => tail.rows.value.length === 0)
  if (!isLoaded) {
    return tail.problem.value ? (
      <ProblemPage
        problem={tail.problem.value}
        what="the launches"
        onRetry={() => location.reload()}
      />
    ) : (
      <LateSkeleton what="the launches" />
    )
  }
  if (!isEmpty.value) return <TailTable tail={tail} scope={scope} />
  return (
    <div class="card">
      {hasFilter ? (
        <EmptyState icon="search" title="No launch matches">
          Choose another outcome or a longer time.
        </EmptyState>
      ) : tail.isHidden.value ? (
        <EmptyState icon="bolt" title="No launch that you see">
          {isAllowedIn(scope, 'develop')
            ? 'You see launches of the apps of this account, and your own.'
            : 'You see your own launches: they appear when you open an EHR page.'}{' '}
          Those of others only administrators see. <ContactAdministrator wish="about them" />
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
  )
}

/** Stands apart from the page, which is not built again for each row. */
const TailTable = ({ tail, scope }: { readonly tail: LaunchTail; readonly scope: Scope }) => (
  <LaunchTable rows={tail.rows.value} scope={scope} />
)

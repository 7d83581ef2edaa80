// The EHR sessions that the caller sees, newest first: who works where since when, how many launches, and
// the end of one by its person or an administrator of its practice.
/** @jsxImportSource preact */
import type { ListedSession } from '@chartside/protocol/payloads'
import { Button, type Column, ConfirmDialog, EmptyState, Pill, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { endSession, listSessions } from '../../api/launches.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useList } from '../../load/use-list.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { session as signedIn } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'

const PRACTICE: Column<ListedSession> = {
  id: 'practice',
  label: 'Practice',
  render: ({ account }) => account.name,
}

export default function SessionsPage({ scope }: PageProps) {
  const state = place.value.query.get('state') ?? 'live'
  const accountId = scope.kind === 'account' ? scope.id : undefined
  const list = useList(
    (cursor, signal) =>
      listSessions({ accountId, state: state === 'all' ? undefined : state, cursor }, { signal }),
    JSON.stringify([scope.id, state]),
  )
  const pending = useSignal<ListedSession | undefined>(undefined)
  const me = signedIn.value?.user.id
  const mayEnd = ({ ended, userId }: ListedSession) =>
    ended === undefined && (userId === me || isAllowedIn(scope, 'run'))
  return (
    <>
      <PageHead
        title="EHR sessions"
        about="A provider, signed in, on an EHR page, on one device."
      />
      <div class="launch-filters">
        <FilterChips
          label="State"
          value={state}
          onChange={(value) => setQuery({ state: value })}
          options={[
            { value: 'live', label: 'Live', icon: 'check' },
            { value: 'ended', label: 'Ended', icon: 'square' },
            { value: 'all', label: 'All' },
          ]}
        />
      </div>
      <LoadedList
        list={list}
        what="the EHR sessions"
        empty={
          <EmptyState icon="screen" title="No EHR session">
            {state === 'ended'
              ? 'None has ended: a session is listed here once its provider has signed out or was idle for too long.'
              : 'A session begins when a provider signs in at the extension on an EHR page that the collection covers.'}
          </EmptyState>
        }
      >
        {(items) => (
          <RecordTable
            caption="EHR sessions, newest first"
            isCaptionHidden
            rows={items}
            rowId={({ id }) => id}
            columns={[
              { id: 'person', label: 'Provider', render: ({ userName }) => userName },
              // In a practice the column would say the same in every row.
              ...(items.every(({ account }) => account.id === scope.id) ? [] : [PRACTICE]),
              {
                id: 'ehr',
                label: 'EHR and device',
                render: ({ ehrType, deviceId }) => (
                  <span class="two-lines">
                    <span>{ehrType}</span>
                    <span class="small quiet">{deviceId}</span>
                  </span>
                ),
              },
              {
                id: 'began',
                label: 'Began',
                render: ({ createdAt }) => (
                  <Timestamp at={Date.parse(createdAt)} now={Date.now()} />
                ),
              },
              {
                id: 'seen',
                label: 'Last activity',
                render: ({ lastSeenAt }) => (
                  <Timestamp at={Date.parse(lastSeenAt)} now={Date.now()} />
                ),
              },
              {
                id: 'launches',
                label: 'Launches',
                isNumber: true,
                render: ({ launchCount }) => launchCount,
              },
              {
                id: 'state',
                label: 'State',
                render: (item) =>
                  item.ended ? (
                    <Pill tone="quiet" icon="square">
                      Ended ({item.ended.reason.replaceAll('_', ' ')})
                    </Pill>
                  ) : (
                    <Pill tone="good" icon="check">
                      Live
                    </Pill>
                  ),
              },
              {
                id: 'end',
                label: 'Action',
                render: (item) =>
                  mayEnd(item) ? (
                    <Button
                      isCompact
                      onPress={() => {
                        pending.value = item
                      }}
                    >
                      End
                    </Button>
                  ) : (
                    '–'
                  ),
              },
            ]}
          />
        )}
      </LoadedList>
      <EndSession
        item={pending.value}
        onClose={(hasEnded) => {
          pending.value = undefined
          if (hasEnded) list.reload()
        }}
      />
    </>
  )
}

function EndSession({
  item,
  onClose,
}: {
  readonly item: ListedSession | undefined
  readonly onClose: (hasEnded: boolean) => void
}) {
  if (!item) return null
  const end = async () => {
    try {
      await endSession(item.id)
      notify('good', 'The EHR session has ended.')
    } catch (error) {
      notify('bad', error instanceof ApiProblem ? error.message : 'The service cannot be reached.')
    }
    onClose(true)
  }
  return (
    <ConfirmDialog
      isOpen
      title={`End the EHR session of ${item.userName}?`}
      button="End the session"
      cancel="Keep it"
      typedName={item.userName}
      isDangerous
      onClose={() => onClose(false)}
      onConfirm={() => void end()}
    >
      <p>
        Its {item.launchCount === 1 ? 'launch ends' : `${item.launchCount} launches end`} at once,
        and so do their access tokens. What is not saved in an app may be lost. {item.userName} can
        open a new session.
      </p>
    </ConfirmDialog>
  )
}

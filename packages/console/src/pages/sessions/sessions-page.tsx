// The EHR sessions that the caller sees, newest first: who works where since when, how many launches, and
// the end of one by its person or an administrator of its practice.
/** @jsxImportSource preact */
import type { ListedSession } from '@chartside/protocol/payloads'
import { Button, type Column, ConfirmDialog, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { endSession, listSessions } from '../../api/launches.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useList } from '../../load/use-list.ts'
import { timeColumn } from '../../parts/columns.tsx'
import { ContactAdministrator } from '../../parts/contact-administrator.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { PersonLink } from '../../parts/person-link.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { session as signedIn } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'

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
  const end: Column<ListedSession> = {
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
  }
  // In a practice the column would say the same in every row.
  const practiceOf = (items: readonly ListedSession[]) =>
    items.every(({ account }) => account.id === scope.id) ? [] : [PRACTICE]
  return (
    <RecordListPage
      title="EHR sessions"
      about="A provider, signed in, on an EHR page, on one device."
      finders={<StateFilter state={state} />}
      what="the EHR sessions"
      list={list}
      caption="EHR sessions, newest first"
      columns={(items) => [providerOf(scope), ...practiceOf(items), ...COLUMNS, end]}
      empty={{
        icon: 'screen',
        title: 'No EHR session',
        text:
          state === 'ended'
            ? 'None has ended: a session is listed here once its provider has signed out or was idle for too long.'
            : 'A session begins when a provider signs in at the extension on an EHR page that the collection covers.',
      }}
      hidden={{
        icon: 'screen',
        title: 'No EHR session of yours',
        text: (
          <p class="quiet">
            Those of others only administrators see. <ContactAdministrator wish="about them" />
          </p>
        ),
      }}
    >
      <EndSession
        item={pending.value}
        onClose={(hasEnded) => {
          pending.value = undefined
          if (hasEnded) list.reload()
        }}
      />
    </RecordListPage>
  )
}

function StateFilter({ state }: { readonly state: string }) {
  return (
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
  )
}

const providerOf = (scope: Scope): Column<ListedSession> => ({
  id: 'person',
  label: 'Provider',
  render: ({ userId, userName }) => <PersonLink scope={scope} id={userId} name={userName} />,
})

const PRACTICE: Column<ListedSession> = {
  id: 'practice',
  label: 'Practice',
  render: ({ account }) => account.name,
}

const COLUMNS: readonly Column<ListedSession>[] = [
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
  timeColumn('began', 'Began', ({ createdAt }) => createdAt),
  timeColumn('seen', 'Last activity', ({ lastSeenAt }) => lastSeenAt),
  {
    id: 'launches',
    label: 'Launches',
    isNumber: true,
    render: ({ launchCount }) => launchCount,
  },
  {
    id: 'state',
    label: 'State',
    render: ({ ended }) =>
      ended ? (
        <Pill tone="quiet" icon="square">
          Ended ({ended.reason.replaceAll('_', ' ')})
        </Pill>
      ) : (
        <Pill tone="good" icon="check">
          Live
        </Pill>
      ),
  },
]

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

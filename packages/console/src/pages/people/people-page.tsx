// The people of one account: members and the invited, their roles, and what an administrator does with
// them. A link that is made for a person is shown once.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { Button, type Column } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { exportMembersAddress, listMembers } from '../../api/members.ts'
import { useList } from '../../load/use-list.ts'
import { menuColumn, sortByName, sortOf, timeColumn } from '../../parts/columns.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { personAddress } from '../../parts/person-link.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { ManyMembers } from './many-members.tsx'
import { memberActions, useMemberActions } from './member-actions.tsx'
import { PersonName } from './person-name.tsx'
import { MemberState } from './person-state.tsx'
import { roleOf } from './roles.ts'

export default function PeoplePage({ scope }: PageProps) {
  const find = place.value.query.get('find') ?? place.value.query.get('email') ?? ''
  const sort = sortOf()
  const list = useList(
    (cursor, signal) => listMembers(scope.id, find, cursor, { signal }, sort),
    `${scope.id} ${find} ${sort}`,
  )
  const actions = useMemberActions(scope, { onDone: list.reload })
  const chosen = useSignal<readonly string[]>([])
  const choosing = (id: string, isChosen: boolean) => {
    const others = chosen.value.filter((one) => one !== id)
    chosen.value = isChosen && others.length < MAX_CHOSEN ? [...others, id] : others
  }
  const clear = () => {
    chosen.value = []
  }
  const mayChange = isAllowedIn(scope, 'run')
  return (
    <RecordListPage
      title="People"
      about={`Who works in ${scope.name}, and who is invited. A person becomes a member by accepting an invitation.`}
      actions={
        mayChange && (
          <>
            <a class="button" href={exportMembersAddress(scope.id)} download>
              Export as CSV
            </a>
            <Button tone="primary" icon="plus" onPress={actions.invite}>
              Invite a person
            </Button>
          </>
        )
      }
      finders={
        <>
          <FindField label="Find a person" />
          <ManyMembers
            scope={scope}
            members={(list.data ?? []).filter(({ id }) => chosen.value.includes(id))}
            onClear={clear}
            onDone={() => {
              clear()
              list.reload()
            }}
          />
        </>
      }
      problem={actions.problem}
      what="the people"
      list={list}
      columns={() => [
        nameColumn(scope, mayChange ? { chosen: chosen.value, choosing } : undefined),
        ...COLUMNS,
        ...(mayChange ? [menuColumn(({ name }) => name, memberActions, actions.choose)] : []),
      ]}
      empty={{
        icon: 'people',
        title: 'No people yet',
        text: (
          <p class="quiet">
            Invite a provider, who opens apps in the EHR, or a developer, who registers them.
          </p>
        ),
      }}
      noMatch={find === '' ? undefined : NO_MATCH}
    >
      {actions.dialogs}
    </RecordListPage>
  )
}

const NO_MATCH = {
  icon: 'search',
  title: 'No person matches',
  text: 'Search by part of the name or of the e-mail address.',
} as const

/** One act names at most so many. */
const MAX_CHOSEN = 100

interface Choosing {
  readonly chosen: readonly string[]
  readonly choosing: (id: string, isChosen: boolean) => void
}

const nameColumn = (scope: Scope, choice: Choosing | undefined): Column<Member> => ({
  id: 'name',
  label: 'Name',
  sort: sortByName(),
  render: ({ id, name, email }) => (
    <span class="with-icon">
      {choice && (
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={choice.chosen.includes(id)}
          onChange={({ currentTarget }) => choice.choosing(id, currentTarget.checked)}
        />
      )}
      <PersonName
        address={personAddress(scope, id)}
        name={name}
        email={email}
        isMe={session.value?.user.email === email}
      />
    </span>
  ),
})

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'role',
    label: 'Role',
    render: ({ role }) => <span class="whole-words">{roleOf(role)?.label ?? role}</span>,
  },
  { id: 'state', label: 'State', render: (member) => <MemberState {...member} /> },
  timeColumn('since', 'Since', ({ createdAt }) => createdAt),
]

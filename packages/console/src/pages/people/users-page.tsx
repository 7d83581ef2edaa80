// The users of the platform, for its administrators: the roles, a second administrator, and disabling a
// person everywhere. Disabled and removed people stay in the list, since their trace stays too.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { Button, type Column } from '@chartside/ui'
import { listUsers } from '../../api/users.ts'
import { useList } from '../../load/use-list.ts'
import { sortByName, sortOf, timeColumn } from '../../parts/columns.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { personAddress } from '../../parts/person-link.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { PersonName } from './person-name.tsx'
import { PlatformRole } from './person-state.tsx'
import { type UserActions, UserMenu, useUserActions } from './user-actions.tsx'

export default function UsersPage({ scope }: PageProps) {
  const { query } = place.value
  const show = query.get('show') ?? ''
  const q = query.get('find') ?? query.get('email') ?? ''
  const filters = {
    ...{ q, sort: sortOf() },
    ...(show === 'admins' ? { role: 'admin' } : {}),
    ...(show === 'disabled' ? { disabled: 'true' } : {}),
  }
  const list = useList(
    (cursor, signal) => listUsers(filters, cursor, { signal }),
    JSON.stringify(filters),
  )
  const actions = useUserActions(list.reload)
  const mayChange = isAllowedIn(scope, 'platform')
  return (
    <RecordListPage
      title="People"
      about="Every person of this installation, in whatever account. Roles in an account are changed there."
      actions={
        mayChange && (
          <Button tone="primary" icon="plus" onPress={actions.add}>
            Add a person
          </Button>
        )
      }
      finders={<UserFilters show={show} />}
      problem={actions.problem}
      what="the people"
      list={list}
      columns={() => [nameOf(scope), ...COLUMNS, ...(mayChange ? [menuOf(actions)] : [])]}
      empty={NO_MATCH}
      noMatch={NO_MATCH}
    >
      {actions.dialogs}
    </RecordListPage>
  )
}

const menuOf = (actions: UserActions): Column<PlatformUser> => ({
  id: 'change',
  label: 'Change',
  render: (user) => <UserMenu user={user} actions={actions} />,
})

/** The caller is in this list always, so only a filter leaves it empty. */
const NO_MATCH = {
  icon: 'people',
  title: 'No such person',
  text: (
    <p class="quiet">
      Search by part of the name or of the e-mail address, or choose another filter.
    </p>
  ),
} as const

const UserFilters = ({ show }: { readonly show: string }) => (
  <>
    <FindField label="Find a person" />
    <FilterChips
      label="Show"
      value={show}
      options={[
        { value: '', label: 'All' },
        { value: 'admins', label: 'Administrators' },
        { value: 'disabled', label: 'Disabled' },
      ]}
      onChange={(value) => setQuery({ show: value })}
    />
  </>
)

const nameOf = (scope: Scope): Column<PlatformUser> => ({
  id: 'name',
  label: 'Name',
  sort: sortByName(),
  render: ({ id, name, email }) => (
    <PersonName
      address={personAddress(scope, id)}
      name={name}
      email={email}
      isMe={session.value?.user.id === id}
    />
  ),
})

const COLUMNS: readonly Column<PlatformUser>[] = [
  { id: 'role', label: 'Platform', render: (user) => <PlatformRole user={user} /> },
  timeColumn('seen', 'Last sign-in', ({ lastSignInAt }) => lastSignInAt),
]

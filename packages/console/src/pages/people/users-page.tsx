// The users of the platform, for its administrators: the roles, a second administrator, and disabling a
// person everywhere. Disabled and removed people stay in the list, since their trace stays too.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { Button, type Column, type MenuItem, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listUsers, resetUser } from '../../api/users.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { menuColumn, timeColumn } from '../../parts/columns.tsx'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { LinkOnce } from '../../parts/link-once.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { InviteUserDialog } from './invite-user-dialog.tsx'
import { PersonName } from './person-name.tsx'
import { usePersonLink } from './use-person-link.ts'
import { type UserChange, UserDialog } from './user-dialog.tsx'

export default function UsersPage({ scope }: PageProps) {
  const { query } = place.value
  const show = query.get('show') ?? ''
  const q = query.get('find') ?? query.get('email') ?? ''
  const filters = {
    q,
    ...(show === 'admins' ? { role: 'admin' } : {}),
    ...(show === 'disabled' ? { disabled: 'true' } : {}),
  }
  const list = useList(
    (cursor, signal) => listUsers(filters, cursor, { signal }),
    JSON.stringify(filters),
  )
  const invitation = useOpen()
  const change = useSignal<UserChange | undefined>(undefined)
  const personLink = usePersonLink()
  const choose = (id: string, user: PlatformUser) => {
    if (id === 'reset') void personLink.reset(user, () => resetUser(user.id))
    else change.value = { user, what: id as UserChange['what'] }
  }
  const changes = menuColumn(({ name }) => name, actionsOf, choose)
  const mayChange = isAllowedIn(scope, 'platform')
  return (
    <RecordListPage
      title="People"
      about="Every person of this installation, in whatever account. Roles in an account are changed there."
      actions={
        mayChange && (
          <Button tone="primary" icon="plus" onPress={invitation.open}>
            Add a person
          </Button>
        )
      }
      finders={<UserFilters show={show} />}
      problem={personLink.problem}
      what="the people"
      list={list}
      columns={() => (mayChange ? [...COLUMNS, withoutMenu(changes)] : COLUMNS)}
      empty={NO_MATCH}
      noMatch={NO_MATCH}
    >
      <InviteUserDialog
        isOpen={invitation.isOpen}
        onClose={invitation.close}
        onInvited={(link) => {
          invitation.close()
          personLink.show(link)
          list.reload()
        }}
      />
      <UserDialog
        change={change.value}
        onClose={() => {
          change.value = undefined
        }}
        onDone={list.reload}
      />
      <LinkOnce link={personLink.link} onClose={personLink.close} />
    </RecordListPage>
  )
}

/** Without the menu where only the command line or an invitation changes something. */
const withoutMenu = (changes: Column<PlatformUser>): Column<PlatformUser> => ({
  ...changes,
  render: (user) =>
    user.isEmergency || user.removed ? (
      <span class="quiet">{user.removed ? 'Back by an invitation' : 'By command line'}</span>
    ) : (
      changes.render(user)
    ),
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

const COLUMNS: readonly Column<PlatformUser>[] = [
  {
    id: 'name',
    label: 'Name',
    render: ({ id, name, email }) => (
      <PersonName name={name} email={email} isMe={session.value?.user.id === id} />
    ),
  },
  { id: 'role', label: 'Platform', render: (user) => <PlatformRole user={user} /> },
  timeColumn('seen', 'Last sign-in', ({ lastSignInAt }) => lastSignInAt),
]

function PlatformRole({ user }: { readonly user: PlatformUser }) {
  const { role, disabled, removed, isEmergency } = user
  if (disabled) {
    return (
      <Pill tone="bad" icon="power">
        {removed ? 'Removed' : 'Disabled'}
      </Pill>
    )
  }
  if (isEmergency) {
    return (
      <Pill tone="warn" icon="alert">
        Emergency account
      </Pill>
    )
  }
  if (role === 'member') return <span class="quiet">No role</span>
  return (
    <Pill tone="accent" icon="shield">
      {role === 'admin' ? 'Administrator' : 'Viewer'}
    </Pill>
  )
}

const PROMOTE = {
  id: 'promote',
  label: 'Make administrator of the platform',
  icon: 'shield',
} as const
const VIEW = { id: 'view', label: 'Make viewer of the platform', icon: 'person' } as const
const DEMOTE = { id: 'demote', label: 'Take the role', icon: 'person' } as const

function actionsOf({ role, disabled }: PlatformUser): readonly MenuItem[] {
  if (disabled) return [{ id: 'enable', label: 'Enable again', icon: 'check' }]
  return [
    ...(role === 'admin' ? [] : [PROMOTE]),
    ...(role === 'viewer' ? [] : [VIEW]),
    ...(role === 'member' ? [] : [DEMOTE]),
    { id: 'reset', label: 'Reset how they sign in', icon: 'key' },
    {
      id: 'disable',
      label: 'Disable everywhere',
      icon: 'power',
      isDangerous: true,
      isFirstOfGroup: true,
    },
  ]
}

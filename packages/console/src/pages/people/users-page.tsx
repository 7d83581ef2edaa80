// The users of the platform, for its administrators: the roles, a second administrator, and disabling a
// person everywhere. Disabled people stay in the list, since their trace stays too.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { Button, EmptyState, Menu, type MenuItem, Pill, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listUsers, resetUser } from '../../api/users.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useList } from '../../load/use-list.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { LinkOnce, type ShownLink } from '../../parts/link-once.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { place, setQuery } from '../../route/location.ts'
import { session } from '../../session/session.ts'
import { InviteUserDialog } from './invite-user-dialog.tsx'
import { type UserChange, UserDialog } from './user-dialog.tsx'

export default function UsersPage() {
  const { query } = place.value
  const show = query.get('show') ?? ''
  const email = query.get('email') ?? undefined
  const filters = {
    ...(email === undefined ? {} : { email }),
    ...(show === 'admins' ? { role: 'admin' } : {}),
    ...(show === 'disabled' ? { disabled: 'true' } : {}),
  }
  const list = useList(
    (cursor, signal) => listUsers(filters, cursor, { signal }),
    JSON.stringify(filters),
  )
  const isInviting = useSignal(false)
  const link = useSignal<ShownLink | undefined>(undefined)
  const change = useSignal<UserChange | undefined>(undefined)
  const resetting = useAction()
  const reset = (user: PlatformUser) =>
    resetting.run(async () => {
      const made = await resetUser(user.id)
      link.value = {
        title: `Send this to ${user.name}`,
        text: `It leads ${user.email} to a page that replaces every way to sign in. Until it is used, nothing changes.`,
        ...made,
      }
    })
  return (
    <>
      <PageHead
        title="People"
        about="Every person of this installation, in whatever account. Roles in an account are changed there."
        actions={
          <Button
            tone="primary"
            icon="plus"
            onPress={() => {
              isInviting.value = true
            }}
          >
            Add a person
          </Button>
        }
      />
      <FilterChips
        label="Show"
        value={show}
        options={[
          { value: '', label: 'All' },
          { value: 'admins', label: 'Administrators' },
          { value: 'disabled', label: 'Disabled' },
        ]}
        onChange={(value) => setQuery({ show: value, email: undefined })}
      />
      {email !== undefined && (
        <p class="row found-by">
          Only the address <strong>{email}</strong>.
          <Button isCompact onPress={() => setQuery({ email: undefined })}>
            Show all
          </Button>
        </p>
      )}
      {resetting.problem && <FormProblem problem={resetting.problem} />}
      <LoadedList
        list={list}
        what="the people"
        empty={
          <EmptyState icon="people" title="No such person">
            <p class="quiet">Nothing matches this filter.</p>
          </EmptyState>
        }
      >
        {(users) => (
          <RecordTable
            caption="People"
            isCaptionHidden
            rows={users}
            rowId={({ id }) => id}
            columns={[
              { id: 'name', label: 'Name', render: (user) => <Name user={user} /> },
              { id: 'role', label: 'Platform', render: (user) => <PlatformRole user={user} /> },
              {
                id: 'seen',
                label: 'Last sign-in',
                render: ({ lastSignInAt }) =>
                  lastSignInAt === null ? (
                    <span class="quiet">Never</span>
                  ) : (
                    <Timestamp at={Date.parse(lastSignInAt)} now={Date.now()} />
                  ),
              },
              {
                id: 'change',
                label: 'Change',
                render: (user) =>
                  user.isEmergency ? (
                    <span class="quiet">By command line</span>
                  ) : (
                    <Menu
                      label={`Change ${user.name}`}
                      items={actionsOf(user)}
                      onChoose={(id) => {
                        if (id === 'reset') void reset(user)
                        else change.value = { user, what: id as UserChange['what'] }
                      }}
                    />
                  ),
              },
            ]}
          />
        )}
      </LoadedList>
      <InviteUserDialog
        isOpen={isInviting.value}
        onClose={() => {
          isInviting.value = false
        }}
        onInvited={(made) => {
          isInviting.value = false
          link.value = made
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
      <LinkOnce
        link={link.value}
        onClose={() => {
          link.value = undefined
        }}
      />
    </>
  )
}

function Name({ user: { id, name, email } }: { readonly user: PlatformUser }) {
  return (
    <span>
      {name}
      {session.value?.user.id === id && <span class="quiet"> (you)</span>}
      <small class="below">{email}</small>
    </span>
  )
}

function PlatformRole({ user: { role, disabled, isEmergency } }: { readonly user: PlatformUser }) {
  if (disabled) {
    return (
      <Pill tone="bad" icon="power">
        Disabled
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
  return role === 'admin' ? (
    <Pill tone="accent" icon="shield">
      Administrator
    </Pill>
  ) : (
    <span class="quiet">No role</span>
  )
}

function actionsOf({ role, disabled }: PlatformUser): readonly MenuItem[] {
  if (disabled) return [{ id: 'enable', label: 'Enable again', icon: 'check' }]
  return [
    role === 'admin'
      ? { id: 'demote', label: 'Take the administrator role', icon: 'person' }
      : { id: 'promote', label: 'Make administrator of the platform', icon: 'shield' },
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

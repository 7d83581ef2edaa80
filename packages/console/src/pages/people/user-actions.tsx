// What an administrator of the platform does with one user: roles, a reset, disabling everywhere, removal and erasure,
// another administrator.
// The list of people and the page of a person offer the same, each by its dialog.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { Menu, type MenuItem } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Problem } from '../../api/problem.ts'
import { resetUser } from '../../api/users.ts'
import { useAskedOpen } from '../../forms/use-open.ts'
import { LinkOnce } from '../../parts/link-once.tsx'
import { DO } from '../../route/addresses.ts'
import { InviteUserDialog } from './invite-user-dialog.tsx'
import { isErased } from './person-state.tsx'
import { usePersonLink } from './use-person-link.ts'
import { type UserChange, UserDialog } from './user-dialog.tsx'

export interface UserActions {
  readonly choose: (id: string, user: PlatformUser) => void
  /** A further person of the platform. */
  readonly add: () => void
  /** The refusal of the last reset. */
  readonly problem: Problem | undefined
  readonly dialogs: JSX.Element
}

export function useUserActions(onDone: () => void): UserActions {
  const invitation = useAskedOpen(DO.invite)
  const change = useSignal<UserChange | undefined>(undefined)
  const personLink = usePersonLink()
  return {
    choose(id, user) {
      if (id === 'reset') void personLink.reset(user, () => resetUser(user.id))
      else change.value = { user, what: id as UserChange['what'] }
    },
    add: invitation.open,
    problem: personLink.problem,
    dialogs: (
      <>
        <InviteUserDialog
          isOpen={invitation.isOpen}
          onClose={invitation.close}
          onInvited={(link) => {
            invitation.close()
            personLink.show(link)
            onDone()
          }}
        />
        <UserDialog
          change={change.value}
          onClose={() => {
            change.value = undefined
          }}
          onDone={onDone}
        />
        <LinkOnce link={personLink.link} onClose={personLink.close} />
      </>
    ),
  }
}

/** Shows the menu, except where only the command line or an invitation changes something. */
export const UserMenu = ({
  user,
  actions,
}: {
  readonly user: PlatformUser
  readonly actions: UserActions
}) =>
  user.isEmergency || isErased(user) ? (
    <span class="quiet">{user.isEmergency ? 'By command line' : 'Nothing is left'}</span>
  ) : (
    <Menu
      label={`Change ${user.name}`}
      items={userActions(user)}
      onChoose={(id) => actions.choose(id, user)}
    />
  )

const PROMOTE = {
  id: 'promote',
  label: 'Make administrator of the platform',
  icon: 'shield',
} as const
const VIEW = { id: 'view', label: 'Make viewer of the platform', icon: 'person' } as const
const DEMOTE = { id: 'demote', label: 'Take the role', icon: 'person' } as const

const REMOVE: MenuItem = {
  id: 'remove',
  label: 'Remove from the platform',
  icon: 'cross',
  isDangerous: true,
}
const ERASE: MenuItem = {
  id: 'erase',
  label: 'Erase name and address',
  icon: 'cross',
  isDangerous: true,
}

function userActions({ role, disabled, removed }: PlatformUser): readonly MenuItem[] {
  if (removed) return [ERASE]
  if (disabled) return [{ id: 'enable', label: 'Enable again', icon: 'check' }, REMOVE]
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
    REMOVE,
  ]
}

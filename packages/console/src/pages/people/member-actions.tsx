// What an administrator does with one member of an account: another role, a reset, removal, a new link for the invited.
// The list of people and the page of a person offer the same, each by its dialog.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import type { MenuItem } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { resetMember } from '../../api/members.ts'
import type { Problem } from '../../api/problem.ts'
import { useAskedOpen } from '../../forms/use-open.ts'
import { LinkOnce } from '../../parts/link-once.tsx'
import { DO } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveMemberDialog, RoleDialog } from './member-dialogs.tsx'
import { usePersonLink } from './use-person-link.ts'

export const memberActions = ({ state }: Member): readonly MenuItem[] =>
  state === 'invited'
    ? [
        { id: 'invite', label: 'Make a new link', icon: 'mail' },
        { id: 'remove', label: 'Withdraw the invitation', icon: 'cross', isDangerous: true },
      ]
    : [
        { id: 'role', label: 'Change the role', icon: 'person' },
        { id: 'reset', label: 'Reset how they sign in', icon: 'key' },
        {
          id: 'remove',
          label: 'Remove from the account',
          icon: 'cross',
          isDangerous: true,
          isFirstOfGroup: true,
        },
      ]

export interface MemberActions {
  /** An item of {@link memberActions}. */
  readonly choose: (id: string, member: Member) => void
  /** A person whom the account does not know yet. */
  readonly invite: () => void
  /** The refusal of the last reset. */
  readonly problem: Problem | undefined
  readonly dialogs: JSX.Element
}

type Pending = { readonly what: 'role' | 'remove'; readonly member: Member }

export function useMemberActions(
  scope: Scope,
  { onDone, onRemoved = onDone }: { readonly onDone: () => void; readonly onRemoved?: () => void },
): MemberActions {
  const invitation = useAskedOpen(DO.invite)
  const invited = useSignal<Member | undefined>(undefined)
  const pending = useSignal<Pending | undefined>(undefined)
  const personLink = usePersonLink()
  const invite = (member?: Member) => {
    invited.value = member
    invitation.open()
  }
  const memberOf = (what: Pending['what']) => ({
    member: pending.value?.what === what ? pending.value.member : undefined,
    onClose() {
      pending.value = undefined
    },
  })
  return {
    choose(id, member) {
      if (id === 'invite') invite(member)
      else if (id === 'reset') {
        void personLink.reset(member, () => resetMember(scope.id, member.id))
      } else pending.value = { what: id as Pending['what'], member }
    },
    invite: () => invite(),
    problem: personLink.problem,
    dialogs: (
      <>
        <InviteDialog
          isOpen={invitation.isOpen}
          accountId={scope.id}
          accountName={scope.name}
          known={invited.value}
          onClose={invitation.close}
          onInvited={(link) => {
            invitation.close()
            personLink.show(link)
            onDone()
          }}
        />
        <RoleDialog accountId={scope.id} {...memberOf('role')} onDone={onDone} />
        <RemoveMemberDialog scope={scope} {...memberOf('remove')} onDone={onRemoved} />
        <LinkOnce link={personLink.link} onClose={personLink.close} />
      </>
    ),
  }
}

// The dialogs about one member of an account: another role, and removal. Each stays open while the
// service refuses, and says why.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { useEffect } from 'preact/hooks'
import { changeRole, removeMember } from '../../api/members.ts'
import { ConfirmActionDialog, FormDialog } from '../../forms/dialogs.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useForm } from '../../forms/use-form.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { RoleChoice } from './role-choice.tsx'
import { roleOf } from './roles.ts'

interface MemberDialogProps {
  readonly member: Member | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

export function RoleDialog({
  accountId,
  member,
  onClose,
  onDone,
}: MemberDialogProps & { readonly accountId: string }) {
  const form = useForm({
    initial: { role: member?.role ?? 'provider' },
    async save({ role }) {
      if (!member) return
      await changeRole(accountId, member.id, role)
      notify('good', `${member.name} is ${roleOf(role)?.label ?? role} now.`)
      onDone()
      onClose()
    },
  })
  useEffect(() => {
    form.reset({ role: member?.role ?? 'provider' })
  }, [member])
  const close = () => {
    form.reset({ role: 'provider' })
    onClose()
  }
  return (
    <FormDialog
      isOpen={member !== undefined}
      title={`The role of ${member?.name ?? ''}`}
      form={form}
      submit="Change the role"
      onClose={close}
    >
      <RoleChoice value={form.values.role} onChange={(role) => form.set('role', role)} />
    </FormDialog>
  )
}

export function RemoveMemberDialog({
  scope,
  member,
  onClose,
  onDone,
}: MemberDialogProps & { readonly scope: Scope }) {
  const action = useAction()
  const isInvited = member?.state === 'invited'
  const remove = async ({ id, name }: Member) => {
    if (!(await action.run(() => removeMember(scope.id, id)))) return
    notify('good', isInvited ? `The invitation of ${name} is withdrawn.` : `${name} is removed.`)
    onDone()
    onClose()
  }
  return (
    <ConfirmActionDialog
      isOpen={member !== undefined}
      title={
        isInvited ? `Withdraw the invitation of ${member.name}?` : `Remove ${member?.name ?? ''}?`
      }
      button={isInvited ? 'Withdraw it' : 'Remove'}
      action={action}
      onConfirm={() => member && void remove(member)}
      onClose={onClose}
    >
      <p>
        {isInvited
          ? 'The link that they have stops working.'
          : `They leave ${scope.name} at once: their EHR sessions there end, and apps that are open beside a chart close. Their trace in the audit trail stays.`}
      </p>
    </ConfirmActionDialog>
  )
}

// Invites a person to an account: address, name and role. The answer has the link that the person needs,
// and nothing says whether the address is known here.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { TextField } from '@chartside/ui'
import { useEffect } from 'preact/hooks'
import { inviteMember, type MemberRole } from '../../api/members.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import type { ShownLink } from '../../parts/link-once.tsx'
import { announce } from '../../shell/announcements.ts'
import { RoleChoice } from './role-choice.tsx'

export interface InviteDialogProps {
  readonly isOpen: boolean
  readonly accountId: string
  readonly accountName: string
  /** An invited person who needs a new link. */
  readonly known: Member | undefined
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}

const EMPTY = { email: '', name: '', role: 'provider' as MemberRole }

export function InviteDialog(props: InviteDialogProps) {
  const { isOpen, accountId, accountName, known, onClose, onInvited } = props
  const form = useForm({
    initial: EMPTY,
    check: ({ email, name }) => ({
      ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: 'Enter an e-mail address.' }),
      ...(name.trim() === '' ? { name: 'Enter the name, as colleagues know it.' } : {}),
    }),
    async save({ email, name, role }) {
      const made = await inviteMember(accountId, { email: email.trim(), name: name.trim(), role })
      announce(`${made.name} is invited.`)
      onInvited({
        title: `Send this to ${made.name}`,
        text: `With it ${made.email} joins ${accountName} and chooses how to sign in. Chartside sends no mail.`,
        url: made.invitationUrl,
        expiresAt: made.invitationExpiresAt,
      })
      form.reset(EMPTY)
    },
  })
  useEffect(() => {
    if (isOpen)
      form.reset(known ? { email: known.email, name: known.name, role: known.role } : EMPTY)
  }, [isOpen, known])
  const close = () => {
    form.reset(EMPTY)
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title={known ? `A new link for ${known.name}` : 'Invite a person'}
      form={form}
      submit="Make the link"
      onClose={close}
    >
      {known && <p>The link that they have stops working.</p>}
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autocomplete="off"
        value={form.values.email}
        error={form.error('email')}
        onInput={(value) => form.set('email', value)}
      />
      <TextField
        label="Name"
        name="name"
        autocomplete="off"
        value={form.values.name}
        error={form.error('name')}
        onInput={(value) => form.set('name', value)}
      />
      <RoleChoice value={form.values.role} onChange={(role) => form.set('role', role)} />
    </FormDialog>
  )
}

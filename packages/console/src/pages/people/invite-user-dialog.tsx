// Adds a person to the platform, such as a second administrator: address, name, and whether they run it.
// The answer has the link at which they choose how to sign in.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { inviteUser } from '../../api/users.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import type { ShownLink } from '../../parts/link-once.tsx'
import { announce } from '../../shell/announcements.ts'

const EMPTY = { email: '', name: '', isAdmin: false }

export interface InviteUserDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}

export function InviteUserDialog({ isOpen, onClose, onInvited }: InviteUserDialogProps) {
  const form = useForm({
    initial: EMPTY,
    check: ({ email, name }) => ({
      ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: 'Enter an e-mail address.' }),
      ...(name.trim() === '' ? { name: 'Enter the name, as colleagues know it.' } : {}),
    }),
    async save({ email, name, isAdmin }) {
      const role = isAdmin ? 'admin' : 'member'
      const made = await inviteUser({ email: email.trim(), name: name.trim(), role })
      announce(`${made.name} is added.`)
      onInvited({
        title: `Send this to ${made.name}`,
        text: `With it ${made.email} chooses how to sign in. Chartside sends no mail.`,
        url: made.invitationUrl,
        expiresAt: made.invitationExpiresAt,
      })
      form.reset(EMPTY)
    },
  })
  const close = () => {
    form.reset(EMPTY)
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title="Add a person"
      form={form}
      submit="Make the link"
      onClose={close}
    >
      <p class="quiet">To add a person to an account, invite them there.</p>
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
      <label class="choice">
        <input
          type="checkbox"
          checked={form.values.isAdmin}
          onChange={(event) => form.set('isAdmin', event.currentTarget.checked)}
        />
        <span>
          <strong>Administrator of the platform</strong>
          <small class="below">Runs every account, app and person, as you do.</small>
        </span>
      </label>
    </FormDialog>
  )
}

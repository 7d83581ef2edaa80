// Adds a person to the platform, such as a second administrator. Whether they run the platform is chosen
// here; address, name and the link are those of every invitation.
/** @jsxImportSource preact */
import { inviteUser } from '../../api/users.ts'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import type { ShownLink } from '../../parts/link-once.tsx'
import { EmailInviteForm } from './email-invite-form.tsx'

const EMPTY = { email: '', name: '', isAdmin: false }

export interface InviteUserDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}

export function InviteUserDialog(props: InviteUserDialogProps) {
  return (
    <EmailInviteForm
      {...props}
      title="Add a person"
      initial={EMPTY}
      invite={({ email, name, isAdmin }) =>
        inviteUser({ email, name, role: isAdmin ? 'admin' : 'member' })
      }
      describeInvited={({ name }) => `${name} is added.`}
      describeLink={({ email }) => `With it ${email} chooses how to sign in.`}
      lead={<p class="quiet">To add a person to an account, invite them there.</p>}
    >
      {(form) => (
        <CheckboxChoice
          title="Administrator of the platform"
          isChecked={form.values.isAdmin}
          onChange={(isAdmin) => form.set('isAdmin', isAdmin)}
        >
          Runs every account, app and person, as you do.
        </CheckboxChoice>
      )}
    </EmailInviteForm>
  )
}

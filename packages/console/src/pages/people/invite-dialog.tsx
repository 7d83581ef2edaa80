// Invites a person to an account, or makes a new link for a person who is invited already. The role, and when the
// membership ends, are chosen here; address, name and the link are those of every invitation.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { useMemo } from 'preact/hooks'
import { inviteMember, type MemberRole } from '../../api/members.ts'
import type { ShownLink } from '../../parts/link-once.tsx'
import { EmailInviteForm } from './email-invite-form.tsx'
import { EndField, endOfField, fieldOfEnd } from './end-field.tsx'
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

export function InviteDialog({ accountId, accountName, known, ...dialog }: InviteDialogProps) {
  const initial = useMemo(() => {
    const { email = '', name = '', role = 'provider' as MemberRole, expiresAt } = known ?? {}
    return { email, name, role, end: fieldOfEnd(expiresAt) }
  }, [known])
  return (
    <EmailInviteForm
      {...dialog}
      title={known ? `A new link for ${known.name}` : 'Invite a person'}
      initial={initial}
      invite={({ end, ...member }) =>
        inviteMember(accountId, { ...member, expiresAt: endOfField(end) })
      }
      describeInvited={({ name }) => `${name} is invited.`}
      describeLink={({ email }) =>
        `With it ${email} joins ${accountName} and chooses how to sign in.`
      }
      lead={known && <p>The link that they have stops working.</p>}
    >
      {(form) => (
        <>
          <RoleChoice value={form.values.role} onChange={(role) => form.set('role', role)} />
          <EndField
            value={form.values.end}
            error={form.error('end')}
            onInput={(value) => form.set('end', value)}
          />
        </>
      )}
    </EmailInviteForm>
  )
}

// The form that invites a person by e-mail address and name: to an account, or to the platform. The answer
// of the service has the link that the person needs; nothing says whether the address is known here.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { FormDialog } from '../../forms/dialogs.tsx'
import { type Form, useForm } from '../../forms/use-form.ts'
import type { ShownLink } from '../../parts/link-once.tsx'
import { announce } from '../../shell/announcements.ts'

type Invitee = { readonly email: string; readonly name: string; readonly [field: string]: unknown }

interface Invited {
  readonly email: string
  readonly name: string
  readonly invitationUrl: string
  readonly invitationExpiresAt: string
}

export interface EmailInviteFormProps<V extends Invitee> {
  readonly isOpen: boolean
  readonly title: string
  /** The values at each opening. */
  readonly initial: V
  readonly invite: (values: V) => Promise<Invited>
  /** The announcement for a screen reader, such as “Dr. Okafor is invited.” */
  readonly describeInvited: (made: Invited) => string
  /** A sentence that says what the person does with the link. */
  readonly describeLink: (made: Invited) => string
  /** A sentence above the fields. */
  readonly lead?: ComponentChildren
  /** The fields after address and name. */
  readonly children: (form: Form<V>) => ComponentChildren
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}

const checkInvitee = ({ email, name }: Invitee) => ({
  ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: 'Enter an e-mail address.' }),
  ...(name.trim() === '' ? { name: 'Enter the name, as colleagues know it.' } : {}),
})

export function EmailInviteForm<V extends Invitee>(props: EmailInviteFormProps<V>) {
  const { isOpen, title, initial, lead, children, onClose, onInvited } = props
  const form = useForm<V>({
    initial,
    check: checkInvitee as (values: V) => Partial<Record<keyof V, string>>,
    async save(values) {
      const trimmed = { ...values, email: values.email.trim(), name: values.name.trim() }
      const made = await props.invite(trimmed)
      announce(props.describeInvited(made))
      onInvited({
        title: `Send this to ${made.name}`,
        text: `${props.describeLink(made)} Chartside sends no mail.`,
        url: made.invitationUrl,
        expiresAt: made.invitationExpiresAt,
      })
      form.reset(initial)
    },
  })
  useEffect(() => {
    if (isOpen) form.reset(initial)
  }, [isOpen, initial])
  const close = () => {
    form.reset(initial)
    onClose()
  }
  const field = (name: 'email' | 'name') => ({
    name,
    autocomplete: 'off' as const,
    value: form.values[name],
    error: form.error(name),
    onInput: (value: string) => form.set(name, value as V[typeof name]),
  })
  return (
    <FormDialog isOpen={isOpen} title={title} form={form} submit="Make the link" onClose={close}>
      {lead}
      <TextField label="E-mail address" type="email" {...field('email')} />
      <TextField label="Name" {...field('name')} />
      {children(form)}
    </FormDialog>
  )
}

// Changes an identity provider of an account. Only what differs is sent; an empty secret keeps the stored one, which no
// answer shows.
/** @jsxImportSource preact */
import type { IdentityProvider } from '@chartside/protocol/payloads'
import { changeIdentityProvider } from '../../api/identity-providers.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { notify } from '../../shell/announcements.ts'
import { ProviderFields } from './provider-fields.tsx'

export interface EditProviderProps {
  readonly accountId: string
  readonly provider: IdentityProvider
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

const valuesOf = ({ name, issuer, clientId, scopes }: IdentityProvider) => ({
  ...{ name, issuer, clientId, scopes },
  clientSecret: '',
})

const FIELDS = [
  { name: 'name', label: 'Name', hint: 'Members see it on a button.' },
  {
    name: 'issuer',
    label: 'Issuer',
    hint: 'Another issuer ends the sign-ins there, and members bind anew.',
    type: 'url',
  },
  { name: 'clientId', label: 'Client ID', hint: undefined },
  {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'Leave it empty to keep the present one.',
    type: 'password',
  },
  { name: 'scopes', label: 'Scopes', hint: 'With spaces between them; openid is one of them.' },
] as const

export function EditProviderDialog(props: EditProviderProps) {
  const { accountId, provider, isOpen, onClose, onChanged } = props
  const stored = valuesOf(provider)
  const form = useForm({
    initial: stored,
    async save(values) {
      const differs = FIELDS.filter(({ name }) => values[name] !== stored[name])
      const change = Object.fromEntries(differs.map(({ name }) => [name, values[name].trim()]))
      const { data: changed } = await changeIdentityProvider(accountId, provider.id, change)
      notify('good', `${changed.name} is changed.`)
      form.reset(valuesOf(changed))
      onClose()
      onChanged()
    },
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title={`Change ${provider.name}`}
      form={form}
      submit="Save"
      onClose={() => {
        form.reset(stored)
        onClose()
      }}
    >
      <ProviderFields form={form} fields={FIELDS} />
    </FormDialog>
  )
}

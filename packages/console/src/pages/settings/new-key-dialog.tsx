// The dialog that makes a developer key: its name, the account that it reaches, and how long it lives. It asks for the
// account only when there are several.
/** @jsxImportSource preact */
import type { NewDeveloperKey } from '@chartside/protocol/payloads'
import { SelectField, TextField } from '@chartside/ui'
import { createDeveloperKey } from '../../api/credentials.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'

interface NewKeyProps {
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (key: NewDeveloperKey) => void
}

const LIFETIMES = ['7', '30', '90'].map((value) => ({ value, label: `${value} days` }))

export function NewKeyDialog({ accounts, isOpen, onClose, onMade }: NewKeyProps) {
  const initial = { name: '', accountId: accounts[0]?.id ?? '', lifetimeDays: '90' }
  const form = useForm({
    initial,
    check: ({ name }) => (name.trim() === '' ? { name: 'Enter a name.' } : {}),
    async save({ name, accountId, lifetimeDays }) {
      const body = { accountId, name: name.trim(), lifetimeDays: Number(lifetimeDays) }
      onMade(await createDeveloperKey(body))
      close()
    },
  })
  const close = () => {
    form.reset(initial)
    onClose()
  }
  return (
    <FormDialog
      isOpen={isOpen}
      title="New developer key"
      form={form}
      submit="Make it"
      onClose={close}
    >
      <TextField
        label="Name"
        hint="So that you know it again, such as “Build pipeline”."
        name="name"
        autocomplete="off"
        value={form.values.name}
        error={form.error('name')}
        onInput={(value) => form.set('name', value)}
      />
      {accounts.length > 1 && (
        <SelectField
          label="Account"
          name="accountId"
          value={form.values.accountId}
          options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) => form.set('accountId', value)}
        />
      )}
      <SelectField
        label="Ends after"
        name="lifetimeDays"
        value={form.values.lifetimeDays}
        options={LIFETIMES}
        onChange={(value) => form.set('lifetimeDays', value)}
      />
    </FormDialog>
  )
}

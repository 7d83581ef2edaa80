// The text fields of an identity provider, for the dialog that adds one and for the one that changes it. The hints say
// what a value does in each of the two.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import type { Form } from '../../forms/use-form.ts'

export interface ProviderField<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly hint: string | undefined
  readonly type?: 'url' | 'password'
}

interface ProviderFieldsProps<Name extends string> {
  readonly form: Form<Record<Name, string>>
  readonly fields: readonly ProviderField<Name>[]
}

export const ProviderFields = <Name extends string>({
  form,
  fields,
}: ProviderFieldsProps<Name>) => (
  <>
    {fields.map(({ name, label, hint, type }) => (
      <TextField
        key={name}
        label={label}
        hint={hint}
        name={name}
        type={type ?? 'text'}
        autocomplete="off"
        value={form.values[name]}
        error={form.error(name)}
        onInput={(value) => form.set(name, value as Record<Name, string>[Name])}
      />
    ))}
  </>
)

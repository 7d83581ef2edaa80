// One field of an operation, as its schema says: a choice, one line, or JSON in several lines. The form
// around it keeps the text.
/** @jsxImportSource preact */
import { SelectField, TextField } from '@chartside/ui'
import type { FormField } from './schema-fields.ts'

export function SchemaField({
  field: { key, name, kind, choices, hint, example },
  text,
  error,
  onChange,
}: {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}) {
  const frame = { label: name, name: key, value: text, error, ...(hint === '' ? {} : { hint }) }
  if (kind === 'choice') {
    const none = { value: '', label: 'Not sent' }
    const options = [none, ...choices.map((value) => ({ value, label: value }))]
    return <SelectField {...frame} options={options} onChange={onChange} />
  }
  return (
    <TextField
      {...frame}
      placeholder={kind === 'json' ? undefined : example}
      {...(kind === 'json' ? { rows: 5 } : {})}
      autocomplete="off"
      onInput={onChange}
    />
  )
}

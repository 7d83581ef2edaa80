// Two fields for a time, From and Before, in the chosen zone. The address keeps both as RFC 3339, so that it is a link
// to that time in every zone.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { setQuery } from '../route/location.ts'
import { fieldOfMoment, momentOfField, timeChoice } from '../session/time-zone.ts'

const NAMES = { from: 'From', to: 'Before' } as const

export interface TimeFieldsProps {
  /** The time in RFC 3339. */
  readonly from: string | undefined
  readonly to: string | undefined
}

export function TimeFields({ from, to }: TimeFieldsProps) {
  const isEmpty = from !== undefined && to !== undefined && from >= to
  return (
    <div class="time-fields">
      <TimeField name="from" value={from} />
      <TimeField
        name="to"
        value={to}
        error={isEmpty ? 'No time lies between: this must be later than “From”.' : undefined}
      />
    </div>
  )
}

function TimeField({
  name,
  value,
  error,
}: {
  readonly name: keyof typeof NAMES
  readonly value: string | undefined
  readonly error?: string | undefined
}) {
  const choice = timeChoice.value
  const typed = useSignal<string | undefined>(undefined)
  const stored = fieldOfMoment(value === undefined ? undefined : Date.parse(value), choice)
  return (
    <TextField
      label={`${NAMES[name]}, ${choice === 'utc' ? 'UTC' : 'local time'}`}
      name={name}
      type="datetime-local"
      value={typed.value ?? stored}
      error={error}
      onInput={(text) => {
        const at = momentOfField(text, choice)
        // While the field is not whole the browser says that it is empty.
        typed.value = at === undefined && text !== '' ? text : undefined
        setQuery({ [name]: at === undefined ? undefined : new Date(at).toISOString() })
      }}
    />
  )
}

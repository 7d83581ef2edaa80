// From when to when the audit events are: two fields in the chosen zone, kept in the address as RFC 3339. An
// address with a time is a link to that time in every zone.
/** @jsxImportSource preact */
import { Button, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { place, setQuery } from '../../route/location.ts'
import { fieldOfMoment, momentOfField, timeChoice } from '../../session/time-zone.ts'

const NAMES = { from: 'From', to: 'Before' } as const

export function TimeRange() {
  const { query } = place.value
  const from = query.get('from')
  const to = query.get('to')
  const isEmpty = from !== null && to !== null && from >= to
  return (
    <div class="time-range">
      <TimeField name="from" value={from} />
      <TimeField
        name="to"
        value={to}
        error={isEmpty ? 'No time lies between: this must be later than “From”.' : undefined}
      />
      {(from !== null || to !== null) && (
        <Button onPress={() => setQuery({ from: undefined, to: undefined })}>Every time</Button>
      )}
    </div>
  )
}

function TimeField({
  name,
  value,
  error,
}: {
  readonly name: keyof typeof NAMES
  readonly value: string | null
  readonly error?: string | undefined
}) {
  const choice = timeChoice.value
  const typed = useSignal<string | undefined>(undefined)
  const stored = fieldOfMoment(value === null ? undefined : Date.parse(value), choice)
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

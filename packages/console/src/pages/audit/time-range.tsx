// From when to when the audit events are: a day or a week by a chip, or two fields in the chosen zone. The address keeps
// both times as RFC 3339, so that it is a link to that time in every zone.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { place, setQuery } from '../../route/location.ts'
import { fieldOfMoment, momentOfField, timeChoice } from '../../session/time-zone.ts'
import { nameOfSpan, SPANS, type SpanName, spanOf } from './event-filter.ts'

const NAMES = { from: 'From', to: 'Before' } as const

export function TimeRange() {
  const { query } = place.value
  const from = query.get('from') ?? undefined
  const to = query.get('to') ?? undefined
  const choice = timeChoice.value
  const isOpen = useSignal(false)
  const span = nameOfSpan({ from, to }, Date.now(), choice)
  const isOwn = isOpen.value || span === undefined
  const isEmpty = from !== undefined && to !== undefined && from >= to
  return (
    <div class="time-range">
      <FilterChips
        label="Time"
        value={isOwn ? 'own' : span}
        onChange={(value) => {
          isOpen.value = value === 'own'
          if (value !== 'own') setQuery(spanOf(value as SpanName, Date.now(), choice))
        }}
        options={[
          ...Object.entries(SPANS).map(([value, label]) => ({ value, label })),
          { value: 'own', label: 'From … to' },
        ]}
      />
      {isOwn && (
        <div class="time-fields">
          <TimeField name="from" value={from} />
          <TimeField
            name="to"
            value={to}
            error={isEmpty ? 'No time lies between: this must be later than “From”.' : undefined}
          />
        </div>
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

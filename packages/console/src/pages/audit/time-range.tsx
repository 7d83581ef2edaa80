// From when to when the audit events are: a day or a week by a chip, or two fields in the chosen zone. The address keeps
// the choice.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { TimeFields } from '../../parts/time-fields.tsx'
import { place, setQuery } from '../../route/location.ts'
import { timeChoice } from '../../session/time-zone.ts'
import { nameOfSpan, SPANS, type SpanName, spanOf } from './event-filter.ts'

export function TimeRange() {
  const { query } = place.value
  const from = query.get('from') ?? undefined
  const to = query.get('to') ?? undefined
  const choice = timeChoice.value
  const isOpen = useSignal(false)
  const span = nameOfSpan({ from, to }, Date.now(), choice)
  const isOwn = isOpen.value || span === undefined
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
      {isOwn && <TimeFields from={from} to={to} />}
    </div>
  )
}

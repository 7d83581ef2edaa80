// Filters of a list as a row of toggles, of which one is pressed. A count stands in the label where the
// page knows one.
/** @jsxImportSource preact */
import { formatCount, Icon, type IconName } from '@chartside/ui'

export interface FilterOption {
  readonly value: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly count?: number | undefined
}

export interface FilterChipsProps {
  readonly label: string
  readonly value: string
  readonly options: readonly FilterOption[]
  readonly onChange: (value: string) => void
}

export function FilterChips({ label, value, options, onChange }: FilterChipsProps) {
  return (
    <fieldset class="chips">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          class="chip"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.icon && <Icon name={option.icon} />}
          {option.label}
          {option.count !== undefined && <span class="count">{formatCount(option.count)}</span>}
        </button>
      ))}
    </fieldset>
  )
}

// A checkbox with a title and a sentence that says what it means. The form around it keeps the value.
// It saves nothing itself.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

export interface CheckboxChoiceProps {
  readonly title: string
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ComponentChildren
}

export function CheckboxChoice(props: CheckboxChoiceProps) {
  const { title, isChecked, isDisabled, onChange, children } = props
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <strong>{title}</strong>
        <small class="below">{children}</small>
      </span>
    </label>
  )
}

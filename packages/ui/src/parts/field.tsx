// A field with its label, a hint and its error: both are tied to the field for screen readers, and
// the error is a sentence with a glyph, not a color.
/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface FieldFrame {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
}

interface TiedProps {
  readonly id: string
  readonly 'aria-invalid': 'true' | undefined
  readonly 'aria-describedby': string | undefined
}

export interface TextFieldProps extends FieldFrame {
  readonly name: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'datetime-local' | undefined
  readonly placeholder?: string | undefined
  readonly autocomplete?: string | undefined
  readonly isRequired?: boolean | undefined
  readonly rows?: number | undefined
  readonly maxLength?: number | undefined
}

function Field({
  label,
  hint,
  error,
  children,
}: FieldFrame & { children(tied: TiedProps): JSX.Element }) {
  const id = useId()
  const hintId = hint === undefined ? '' : `${id}-hint`
  const errorId = error === undefined ? '' : `${id}-error`
  const describedBy = [errorId, hintId].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : 'true',
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {error !== undefined && (
        <span class="field-error" id={errorId}>
          <Icon name="alert" />
          {error}
        </span>
      )}
    </div>
  )
}

/** One line, or several with `rows`. */
export function TextField({
  label,
  hint,
  error,
  onInput,
  isRequired,
  rows,
  ...input
}: TextFieldProps) {
  const { type = 'text', ...rest } = input
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) =>
        rows === undefined ? (
          <input
            {...tied}
            {...rest}
            // Preact has a type of its own for each kind of input.
            type={type as 'text'}
            class="input"
            required={isRequired}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <textarea
            {...tied}
            {...rest}
            class="input"
            rows={rows}
            required={isRequired}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

export interface SelectFieldProps extends FieldFrame {
  readonly name: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

export function SelectField({
  label,
  hint,
  error,
  name,
  value,
  options,
  onChange,
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <select
          {...tied}
          name={name}
          class="input"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

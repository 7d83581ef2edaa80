// A choice of one of a few, each with a sentence that says what it means, as radio buttons of the browser. It saves
// nothing; the dialog around it does.
/** @jsxImportSource preact */

export interface RadioOption<V extends string> {
  readonly value: V
  readonly label: string
  readonly text: string
}

export interface RadioChoiceProps<V extends string> {
  readonly label: string
  readonly name: string
  readonly value: V
  readonly options: readonly RadioOption<V>[]
  readonly onChange: (value: V) => void
}

export function RadioChoice<V extends string>(props: RadioChoiceProps<V>) {
  const { label, name, value, options, onChange } = props
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="choice">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            <small class="below">{option.text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

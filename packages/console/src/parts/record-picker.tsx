// Chooses one record of very many by its name: a combobox whose list the service searches. The choice is an
// identifier, which the page keeps in its address. The combobox is Zag's.
/** @jsxImportSource preact */
import { Icon, IconButton } from '@chartside/ui'
import { useRef } from 'preact/hooks'
import { useCombobox } from './use-combobox.ts'
import { type RecordSource, useRecordSearch } from './use-record-search.ts'

export interface RecordPickerProps extends RecordSource {
  /** The label, such as “App”. */
  readonly label: string
  /** The words while none is chosen: “Every app”. */
  readonly none: string
  readonly error?: string | undefined
  readonly onChange: (id: string | undefined) => void
}

interface InputProps {
  readonly id: string
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly [name: string]: unknown
}

export function RecordPicker(props: RecordPickerProps) {
  const { label, none, error, value, onChange } = props
  const latest = useRef(props)
  latest.current = props
  const { found, message, text, ...search } = useRecordSearch(props)
  const { api, field } = useCombobox(text, found, ({ name }) => name, {
    value: value === '' ? [] : [value],
    selectionBehavior: 'replace',
    openOnClick: true,
    allowCustomValue: true,
    onInputValueChange({ inputValue, reason }) {
      if (reason === 'input-change') search.searchSoon(inputValue.trim())
    },
    onOpenChange({ open }) {
      if (!open) search.restoreText()
      // A first key opens it, too: then the search of that key is on its way.
      else if (!search.isBehind()) search.searchNow('')
    },
    onValueChange({ value: [id] }) {
      if (id !== undefined && id !== latest.current.value) latest.current.onChange(id)
    },
  })
  const input = api.getInputProps() as InputProps
  // The machine highlights an option before or after the list that has it is drawn.
  const isDrawn = found.some(({ id }) => id === api.highlightedValue)
  const active = isDrawn ? input['aria-activedescendant'] : undefined
  return (
    <div {...api.getRootProps()} class="field picker">
      <label id={(api.getLabelProps() as { readonly id: string }).id} for={input.id}>
        {label}
      </label>
      <div {...api.getControlProps()} class="picker-control">
        <input
          {...input}
          ref={field}
          onKeyDown={(event: KeyboardEvent) => {
            // The highlighted one may be of the text before the last keys.
            if (event.key === 'Enter' && api.open && search.isBehind()) event.preventDefault()
            // While the list is closed, Escape closes the dialog in which the field stands.
            if (event.key !== 'Escape' || api.open) input.onKeyDown(event)
          }}
          aria-activedescendant={active as string | undefined}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={error === undefined ? undefined : `${input.id}-error`}
          class="input"
          placeholder={none}
          autocomplete="off"
          spellcheck={false}
        />
        {value === '' ? (
          <Icon name="chevron" />
        ) : (
          <IconButton
            icon="cross"
            label={none}
            tone="bare"
            isCompact
            onPress={() => onChange(undefined)}
          />
        )}
      </div>
      {error !== undefined && (
        <span class="field-error" id={`${input.id}-error`} role="alert">
          <Icon name="alert" />
          {error}
        </span>
      )}
      <div class="picker-layer" hidden={!api.open}>
        <ul {...api.getContentProps()} class="picker-list">
          {found.map((item) => (
            <li key={item.id} {...api.getItemProps({ item })} class="picker-item">
              {item.name}
              {item.detail && <small>{item.detail}</small>}
            </li>
          ))}
        </ul>
        <p class="picker-said" role="status">
          {api.open && message}
        </p>
      </div>
    </div>
  )
}

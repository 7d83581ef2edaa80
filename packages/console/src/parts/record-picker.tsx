// Chooses one record of very many by its name: a combobox whose list the service searches. The choice is an
// identifier, which the page keeps in its address. The combobox is Zag's.
/** @jsxImportSource preact */
import { Icon, IconButton } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import * as combobox from '@zag-js/combobox'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { isAborted } from '../api/problem.ts'

export interface PickedRecord {
  readonly id: string
  readonly name: string
  readonly detail?: string | undefined
}

export interface RecordPickerProps {
  /** “App” */
  readonly label: string
  /** What is shown while none is chosen: “Every app”. */
  readonly none: string
  /** The identifier of the chosen record; empty without one. */
  readonly value: string
  readonly onChange: (id: string | undefined) => void
  /** The records whose name has the text; the first ones for an empty text. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly PickedRecord[]>
  /** The name of a chosen record that no search has found yet. */
  readonly nameOf: (id: string, signal: AbortSignal) => Promise<string>
}

const WAIT_MS = 200
const MAX_SHOWN = 20

export function RecordPicker(props: RecordPickerProps) {
  const { label, none, value, onChange } = props
  const latest = useRef(props)
  latest.current = props
  const found = useSignal<readonly PickedRecord[]>([])
  const said = useSignal('')
  const name = useSignal('')
  const running = useRef(new AbortController())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const collection = useMemo(
    () =>
      combobox.collection({
        items: [...found.value],
        itemToValue: ({ id }) => id,
        itemToString: (item) => item.name,
      }),
    [found.value],
  )
  const look = async (text: string) => {
    running.current.abort()
    running.current = new AbortController()
    const { signal } = running.current
    try {
      const records = await latest.current.search(text, signal)
      if (signal.aborted) return
      found.value = records.slice(0, MAX_SHOWN)
      said.value =
        records.length === 0
          ? 'None has this name.'
          : records.length > MAX_SHOWN
            ? `The first ${MAX_SHOWN}; type more of the name.`
            : ''
    } catch (error) {
      if (!isAborted(error)) said.value = 'The search failed. Type again.'
    }
  }
  const service = useMachine(combobox.machine as combobox.Machine<PickedRecord>, {
    id: useId(),
    collection,
    value: value === '' ? [] : [value],
    inputValue: name.value,
    inputBehavior: 'autohighlight',
    selectionBehavior: 'replace',
    openOnClick: true,
    allowCustomValue: true,
    loopFocus: true,
    navigate: null,
    onInputValueChange({ inputValue, reason }) {
      name.value = inputValue
      if (reason !== 'input-change') return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void look(inputValue.trim()), WAIT_MS)
    },
    onOpenChange({ open }) {
      if (open) void look('')
      // What is typed and not chosen is forgotten.
      else name.value = chosenName()
    },
    onValueChange({ value: [id] }) {
      if (id !== undefined && id !== latest.current.value) latest.current.onChange(id)
    },
  })
  const api = combobox.connect(service, normalizeProps)
  const known = useRef(new Map<string, string>())
  for (const record of found.value) known.current.set(record.id, record.name)
  const chosenName = () => known.current.get(latest.current.value) ?? latest.current.value
  useEffect(() => {
    const controller = new AbortController()
    name.value = value === '' ? '' : chosenName()
    if (value !== '' && !known.current.has(value)) {
      latest.current.nameOf(value, controller.signal).then(
        (text) => {
          known.current.set(value, text)
          name.value = text
        },
        () => {},
      )
    }
    return () => controller.abort()
  }, [value])
  useEffect(
    () => () => {
      running.current.abort()
      clearTimeout(timer.current)
    },
    [],
  )
  const input = api.getInputProps() as { readonly id: string; readonly [name: string]: unknown }
  // The machine highlights an option before or after the list that has it is drawn.
  const isDrawn = found.value.some(({ id }) => id === api.highlightedValue)
  const active = isDrawn ? input['aria-activedescendant'] : undefined
  return (
    <div {...api.getRootProps()} class="field picker">
      <label id={(api.getLabelProps() as { readonly id: string }).id} for={input.id}>
        {label}
      </label>
      <div {...api.getControlProps()} class="picker-control">
        <input
          {...input}
          aria-activedescendant={active as string | undefined}
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
      <div class="picker-layer" hidden={!api.open}>
        <ul {...api.getContentProps()} class="picker-list">
          {found.value.map((item) => (
            <li key={item.id} {...api.getItemProps({ item })} class="picker-item">
              {item.name}
              {item.detail && <small>{item.detail}</small>}
            </li>
          ))}
        </ul>
        <p class="picker-said" role="status">
          {api.open && said.value}
        </p>
      </div>
    </div>
  )
}

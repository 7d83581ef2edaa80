// The command palette: one field that takes a trace id, a launch_id, a client_id or an e-mail address
// and leads there, and finds apps, people, accounts and pages by name. The combobox is Zag's; its list stands open
// below the field, in a dialog of the browser.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import * as combobox from '@zag-js/combobox'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { problemOf } from '../api/problem.ts'
import { navigate } from '../route/location.ts'
import type { Scope } from '../session/scopes.ts'
import { canLead, findRecord } from './find-record.ts'
import { recognize } from './lookups.ts'
import { listMatches, type PaletteItem } from './palette-items.ts'
import { useNameSearch } from './use-name-search.ts'

export interface PaletteProps {
  readonly scope: Scope
  readonly items: readonly PaletteItem[]
  readonly onClose: () => void
}

export default function Palette({ scope, items, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const said = useSignal('')
  const isBusy = useSignal(false)
  const shape = recognize(text.value)
  const lookup = shape && canLead(shape, scope) ? shape : undefined
  const named = useNameSearch(shape ? '' : text.value, scope)
  const matches = listMatches(text.value, lookup, items, named.items)
  const collection = useMemo(
    () =>
      combobox.collection({
        items: [...matches],
        itemToValue: ({ id }) => id,
        itemToString: ({ label }) => label,
      }),
    [matches.map(({ id, label }) => `${id} ${label}`).join('\n')],
  )
  const open = async ({ target }: PaletteItem) => {
    if ('address' in target) {
      onClose()
      navigate(target.address)
      return
    }
    isBusy.value = true
    said.value = 'Looking …'
    try {
      const address = await findRecord(target.lookup, scope)
      if (address === undefined) {
        said.value = 'Nothing that you may see matches. Check that it was copied completely.'
        return
      }
      onClose()
      navigate(address)
    } catch (error) {
      said.value = problemOf(error).message
    } finally {
      isBusy.value = false
    }
  }
  const service = useMachine(combobox.machine as combobox.Machine<PaletteItem>, {
    id: useId(),
    collection,
    open: true,
    disableLayer: true,
    value: [],
    inputBehavior: 'autohighlight',
    selectionBehavior: 'preserve',
    loopFocus: true,
    closeOnSelect: false,
    // The address of the page is the router's work.
    navigate: null,
    onInputValueChange({ inputValue }) {
      text.value = inputValue
      said.value = ''
    },
    onSelect({ itemValue }) {
      const item = matches.find(({ id }) => id === itemValue)
      if (item && !isBusy.value) void open(item)
    },
  })
  const api = combobox.connect(service, normalizeProps)
  useEffect(() => {
    dialog.current?.setAttribute('closedby', 'any')
    dialog.current?.showModal()
  }, [])
  const isNothing = matches.length === 0 && said.value === '' && named.isDone
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={onClose}
      onKeyDownCapture={(event) => {
        // The combobox would take it to close its list, which stays open here.
        if (event.key === 'Escape') onClose()
        // The first is highlighted a moment after it is drawn; a quick Enter means it, too.
        const [first] = matches
        const isHighlighted = matches.some(({ id }) => id === api.highlightedValue)
        if (event.key === 'Enter' && !isHighlighted && first && !isBusy.value) void open(first)
      }}
    >
      <div {...api.getRootProps()}>
        <div {...api.getControlProps()} class="palette-field">
          <Icon name={isBusy.value ? 'spinner' : 'search'} />
          <input
            {...(api.getInputProps() as object)}
            class="palette-input"
            aria-label="Trace id, launch_id, client_id, e-mail, or the name of an app, person, account or page"
            placeholder="A name, or a trace id, launch_id, client_id or e-mail"
            spellcheck={false}
            autocomplete="off"
          />
          <kbd>Esc</kbd>
        </div>
        <ul {...api.getContentProps()} class="palette-list" hidden={matches.length === 0}>
          {matches.map((item) => (
            <li key={item.id} {...api.getItemProps({ item })} class="palette-item">
              <Icon name={item.icon} />
              <span>
                {item.label}
                {item.detail && <small>{item.detail}</small>}
              </span>
            </li>
          ))}
        </ul>
        <p class="palette-said" role="status">
          {said.value}
          {isNothing && 'Nothing that you may see has this name.'}
        </p>
      </div>
    </dialog>
  )
}

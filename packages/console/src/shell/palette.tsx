// The command palette: one field that takes a trace id, a launch_id, a client_id or an e-mail address
// and leads there, and finds apps, people, accounts, pages and commands by name. The combobox is Zag's; its list stands open
// below the field, in a dialog of the browser.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { problemOf } from '../api/problem.ts'
import { useCombobox } from '../parts/use-combobox.ts'
import { navigate } from '../route/location.ts'
import type { Scope } from '../session/scopes.ts'
import { canLead, findRecord } from './find-record.ts'
import { recognize } from './lookups.ts'
import { listMatches, type PaletteItem } from './palette-items.ts'
import { listRecent, noteRecent } from './recent-items.ts'
import { useNameSearch } from './use-name-search.ts'

export interface PaletteProps {
  readonly scope: Scope
  /** The items in groups. */
  readonly items: readonly (readonly PaletteItem[])[]
  /** The text that was typed before the palette stood there. */
  readonly typed: string
  readonly onClose: () => void
}

export default function Palette({ scope, items, typed, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal(typed)
  const said = useSignal('')
  const isBusy = useSignal(false)
  const shape = recognize(text.value)
  const lookup = shape && canLead(shape, scope) ? shape : undefined
  const named = useNameSearch(shape ? '' : text.value, scope)
  const matches = listMatches(text.value, lookup, [listRecent(), ...items], named.items)
  const open = async (item: PaletteItem) => {
    const { target } = item
    if ('address' in target) {
      noteRecent(item)
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
  const { api, field } = useCombobox(text, matches, ({ label }) => label, {
    open: true,
    disableLayer: true,
    value: [],
    selectionBehavior: 'preserve',
    closeOnSelect: false,
    onInputValueChange() {
      said.value = ''
    },
    onSelect({ itemValue }) {
      const item = matches.find(({ id }) => id === itemValue)
      if (item && !isBusy.value) void open(item)
    },
  })
  // Before the next key, which belongs to it.
  useLayoutEffect(() => {
    dialog.current?.setAttribute('closedby', 'any')
    dialog.current?.showModal()
    field.current?.setSelectionRange(typed.length, typed.length)
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
            ref={field}
            class="palette-input"
            aria-label="Trace id, launch_id, client_id, e-mail, or the name of an app, person, account, page or command"
            placeholder="A name, a command, a trace id, launch_id, client_id or e-mail"
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

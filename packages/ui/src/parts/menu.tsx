// A menu button: the first item has the focus when it opens, arrows, Home, End and first characters
// move it, Escape and Tab close it and give the focus back. The layer is the browser's popover.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { findByFirstCharacter, nextFocus } from '../rules/focus-moves.ts'
import type { IconName } from '../rules/icon-paths.ts'
import { Icon } from './icon.tsx'
import { useLayer } from './layer.tsx'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  /** Stands in place of the icon, as the icon of an app does. */
  readonly picture?: ComponentChildren
  readonly detail?: string | undefined
  readonly isDangerous?: boolean | undefined
  /** A line above it. */
  readonly isFirstOfGroup?: boolean | undefined
}

export interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly onChoose: (id: string) => void
  readonly icon?: IconName | undefined
  /** The text is shown instead of an icon; the label follows it for screen readers. */
  readonly text?: ComponentChildren
  readonly side?: 'start' | 'end' | undefined
}

export function Menu({ label, items, onChoose, icon = 'more', text, side = 'end' }: MenuProps) {
  const layer = useLayer()
  const listItems = () => [
    ...(layer.layerRef.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
  ]
  const close = () => layer.layerRef.current?.hidePopover()
  const onKeyDown = (event: KeyboardEvent) => {
    const elements = listItems()
    const index = elements.indexOf(document.activeElement as HTMLElement)
    const names = items.map((item) => item.label)
    const next =
      nextFocus(event.key, index, elements.length, 'list') ??
      findByFirstCharacter(event.key, index, names)
    if (event.key === 'Tab') {
      close()
    } else if (next !== null) {
      event.preventDefault()
      elements[next]?.focus()
    }
  }
  return (
    <>
      <button
        ref={layer.triggerRef}
        type="button"
        class={`button compact bare${text === undefined ? ' icon-only' : ''}`}
        popovertarget={layer.id}
        aria-label={text === undefined ? label : undefined}
        title={label}
        aria-haspopup="menu"
        aria-expanded={layer.isOpen}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || layer.isOpen) return
          event.preventDefault()
          layer.layerRef.current?.showPopover()
        }}
      >
        {text === undefined ? (
          <Icon name={icon} />
        ) : (
          <>
            {text}
            <span class="unseen"> {label}</span>
          </>
        )}
      </button>
      <div
        ref={layer.layerRef}
        id={layer.id}
        class={`layer ${side}`}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          layer.onToggle(event)
          if (event.newState === 'open') listItems()[0]?.focus()
        }}
      >
        {items.map((item) => (
          <>
            {item.isFirstOfGroup && <hr class="menu-line" />}
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.isDangerous ? 'menu-item danger' : 'menu-item'}
              onClick={() => {
                close()
                onChoose(item.id)
              }}
            >
              {item.picture ?? (item.icon ? <Icon name={item.icon} /> : <span />)}
              <span>
                {item.label}
                {item.detail && <small>{item.detail}</small>}
              </span>
            </button>
          </>
        ))}
      </div>
    </>
  )
}

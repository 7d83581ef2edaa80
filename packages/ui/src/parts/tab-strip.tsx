// The strip of apps. Arrows move the focus and open nothing, so that passing an app does not launch
// it; Enter, Space or a press opens; 1 to 9 open by place. A badge with a glyph marks what needs
// attention, and the name of the tab says it in words.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fitTabs } from '../rules/fit-tabs.ts'
import { nextFocus, placeOfDigit } from '../rules/focus-moves.ts'
import type { IconName } from '../rules/icon-paths.ts'
import type { Tone } from '../rules/states.ts'
import { AppIcon } from './app-icon.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

export interface Tab {
  readonly id: string
  readonly name: string
  readonly iconUrl?: string | undefined
  readonly badge?:
    | { readonly icon: IconName; readonly tone: Tone; readonly words: string }
    | undefined
}

export interface TabStripProps {
  readonly label: string
  /** The name of the menu with the apps that do not fit. */
  readonly moreLabel: string
  readonly tabs: readonly Tab[]
  readonly open: string
  /** The element that shows the open app. */
  readonly controls: string
  /** Opens the tab; with `isEntered` the key was Enter, so the focus goes into the app. */
  readonly onOpen: (id: string, isEntered: boolean) => void
}

export function TabStrip({ label, moreLabel, tabs, open, controls, onOpen }: TabStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const width = useSignal(360)
  const focused = useSignal<string | null>(null)
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      width.value = element.clientWidth
    })
    observer.observe(element)
    width.value = element.clientWidth
    return () => observer.disconnect()
  }, [])
  const openIndex = tabs.findIndex(({ id }) => id === open)
  const { shown, hidden } = fitTabs(tabs.length, Math.max(0, openIndex), width.value)
  const visible = shown.flatMap((index) => tabs[index] ?? [])
  const isThere = (id: string | null) => visible.some((tab) => tab.id === id)
  const stop = [focused.value, open].find(isThere) ?? visible[0]?.id
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const place = placeOfDigit(event.key, tabs.length)
    const next = nextFocus(event.key, index, buttons.length, 'row')
    const digit = place === null ? undefined : tabs[place]
    const entered = event.key === 'Enter' ? visible[index] : undefined
    const chosen = digit ?? entered
    if (chosen === undefined && next === null) return
    event.preventDefault()
    if (chosen) onOpen(chosen.id, entered !== undefined)
    else if (next !== null) buttons[next]?.focus()
  }
  return (
    <div ref={strip} class="strip-tabs">
      <div ref={list} class="row-of-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {visible.map((tab) => (
          <TabButton
            key={tab.id}
            tab={tab}
            isOpen={tab.id === open}
            isStop={tab.id === stop}
            controls={controls}
            onFocus={() => {
              focused.value = tab.id
            }}
            onOpen={() => onOpen(tab.id, false)}
          />
        ))}
      </div>
      {hidden.length > 0 && (
        <Menu
          label={moreLabel}
          side="start"
          text={`+${hidden.length}`}
          items={hidden.flatMap((index) => {
            const tab = tabs[index]
            return tab
              ? {
                  id: tab.id,
                  label: tab.name,
                  detail: tab.badge?.words,
                  picture: <AppIcon {...tab} />,
                }
              : []
          })}
          onChoose={(id) => onOpen(id, false)}
        />
      )}
    </div>
  )
}

interface TabButtonProps {
  readonly tab: Tab
  readonly isOpen: boolean
  readonly isStop: boolean
  readonly controls: string
  readonly onFocus: () => void
  readonly onOpen: () => void
}

function TabButton({ tab, isOpen, isStop, controls, onFocus, onOpen }: TabButtonProps) {
  const { badge } = tab
  return (
    <button
      type="button"
      class="tab"
      role="tab"
      aria-selected={isOpen}
      aria-controls={isOpen ? controls : undefined}
      tabIndex={isStop ? 0 : -1}
      title={badge ? `${tab.name}, ${badge.words}` : tab.name}
      onFocus={onFocus}
      onClick={onOpen}
    >
      <span class="tab-picture">
        <AppIcon {...tab} />
        {badge && (
          <span class={`tab-badge tone-${badge.tone}`} aria-hidden="true">
            <Icon name={badge.icon} />
          </span>
        )}
      </span>
      <span class={isOpen ? 'tab-name' : 'unseen'}>{tab.name}</span>
      {badge && <span class="unseen">, {badge.words}</span>}
    </button>
  )
}

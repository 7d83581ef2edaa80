// The keyboard map of the console. Keys of one character and sequences such as G then L work outside of
// fields, without a modifier and while no dialog is open, and can be switched off (WCAG 2.1.4). The
// help dialog lists what is registered.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export interface Shortcut {
  /** One key, or two with a space: `g l`. */
  readonly keys: string
  readonly label: string
  readonly group: 'Go to' | 'On this page' | 'Everywhere'
}

interface Registered extends Shortcut {
  readonly run: () => void
}

export const shortcuts = signal<readonly Registered[]>([])

const SWITCH = 'chartside.shortcuts'
export const isSwitchedOn = signal(localStorage.getItem(SWITCH) !== 'off')

export function switchShortcuts(isOn: boolean): void {
  isSwitchedOn.value = isOn
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off')
}

/** The shortcut works for as long as the component is shown. */
export function useShortcut(shortcut: Shortcut, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const registered = { ...shortcut, run: () => latest.current() }
    shortcuts.value = [...shortcuts.value, registered]
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => one !== registered)
    }
  }, [shortcut.keys, shortcut.label])
}

const SEQUENCE_MS = 1200
let first = { key: '', at: 0 }

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="menu"], [role="listbox"], [role="tablist"]') !== null)

const isCovered = () => document.querySelector('dialog[open], [popover]:popover-open') !== null

/** Listens for shortcuts; the shell calls it once. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (!isSwitchedOn.value || isTyping(event.target) || isCovered()) return
    const isSecond = first.key !== '' && event.timeStamp - first.at < SEQUENCE_MS
    const keys = isSecond ? `${first.key} ${event.key}` : event.key
    first = { key: '', at: 0 }
    const found = shortcuts.value.findLast((shortcut) => shortcut.keys === keys)
    if (found) {
      event.preventDefault()
      found.run()
    } else if (shortcuts.value.some((shortcut) => shortcut.keys.startsWith(`${event.key} `))) {
      first = { key: event.key, at: event.timeStamp }
    }
  })
}

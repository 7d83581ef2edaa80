// One launch beside the list, from 1280 px on. The address names it (`launch`), so that a reload and a link show the same.
// Escape and the button close it; the focus goes back to its row.
/** @jsxImportSource preact */
import { IconButton } from '@chartside/ui'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useShortcut } from '../../keys/shortcuts.ts'
import { place, setQuery } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'
import { LaunchView } from './launch-page.tsx'

const wide = matchMedia('(width >= 80rem)')

/** Whether list and launch have room beside each other. */
export const hasRoom = signal(wide.matches)
wide.addEventListener('change', () => {
  hasRoom.value = wide.matches
})

/** The launch that the address opens beside the list. */
export const openedLaunch = (): string | undefined => place.value.query.get('launch') ?? undefined

/** Opens a launch; with `isPushed` Back leads to what was open before. */
export const openLaunch = (launch: string, isPushed: boolean): void =>
  setQuery({ launch, with: undefined }, { isPushed })

const rowOf = (id: string) =>
  document.querySelector<HTMLElement>(`[data-launch="${CSS.escape(id)}"]`)

export const focusPane = (): void =>
  document.querySelector<HTMLElement>('[data-pane-title]')?.focus({ preventScroll: true })

export function LaunchPane({ id, scope }: { readonly id: string; readonly scope: Scope }) {
  const close = () => {
    const row = rowOf(id)
    setQuery({ launch: undefined, with: undefined })
    row?.focus()
  }
  useShortcut({ keys: 'Escape', label: 'Close the launch', group: 'On this page' }, close)
  useEffect(() => rowOf(id)?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <aside class="launch-pane" aria-label="The launch" tabIndex={-1} data-pane>
      <IconButton icon="cross" label="Close the launch" tone="bare" isCompact onPress={close} />
      <LaunchView id={id} scope={scope} isBeside />
    </aside>
  )
}

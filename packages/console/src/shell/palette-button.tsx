// Opens the palette: a button in the top bar, ⌘K or Ctrl+K everywhere, and / outside of fields. Its code
// is loaded when it is opened for the first time.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useShortcut } from '../keys/shortcuts.ts'
import { scopedAddress } from '../route/addresses.ts'
import type { Scope } from '../session/scopes.ts'
import { session } from '../session/session.ts'
import { describeScope } from './account-switcher.tsx'
import { notify } from './announcements.ts'
import { listCommands } from './commands.ts'
import { takeKeys } from './early-keys.ts'
import { listItems } from './navigation.tsx'
import type { PaletteProps } from './palette.tsx'
import type { PaletteItem } from './palette-items.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

function listTargets(scope: Scope): readonly (readonly PaletteItem[])[] {
  const pages = listItems(scope).map(
    ({ entry, label, icon, address }): PaletteItem => ({
      id: `page ${entry.path}`,
      label,
      detail: entry.isPersonal ? undefined : scope.name,
      icon,
      target: { address },
    }),
  )
  const accounts = (session.value?.scopes ?? [])
    .filter(({ id }) => id !== scope.id)
    .map(
      (one): PaletteItem => ({
        id: `scope ${one.id}`,
        label: one.name,
        detail: describeScope(one),
        icon: one.kind === 'platform' ? 'shield' : 'building',
        target: { address: scopedAddress(one, '') },
      }),
    )
  return [[...pages, ...accounts], listCommands(scope)]
}

export function PaletteButton({ scope }: { readonly scope: Scope }) {
  const page = useSignal<{ readonly show: ComponentType<PaletteProps> } | undefined>(undefined)
  const isOpen = useSignal(false)
  const typed = useSignal('')
  const isLoading = useRef(false)
  const load = async () => {
    isLoading.current = true
    const endKeys = takeKeys()
    try {
      page.value = { show: (await import('./palette.tsx')).default }
    } catch {
      notify('bad', 'The search could not be loaded. Check the network.')
    }
    typed.value = endKeys()
    isLoading.current = false
  }
  const open = async () => {
    if (isLoading.current) return
    typed.value = ''
    if (!page.value) await load()
    isOpen.value = page.value !== undefined
  }
  useShortcut({ keys: '/', label: 'Search', group: 'Everywhere' }, () => void open())
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isChord = event.key === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey
      if (!isChord || document.querySelector('dialog[open]')) return
      event.preventDefault()
      void open()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const Palette = page.value?.show
  return (
    <>
      <button type="button" class="find" aria-haspopup="dialog" onClick={() => void open()}>
        <Icon name="search" />
        <span class="find-words">Name, command, trace id or e-mail</span>
        <span class="find-short">Search</span>
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {Palette && isOpen.value && (
        <Palette
          scope={scope}
          items={listTargets(scope)}
          typed={typed.value}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

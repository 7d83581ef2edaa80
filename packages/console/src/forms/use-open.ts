// Whether a dialog of a page is open. The page passes `isOpen` and `close` to the dialog, and `open` to
// the button that leads there. A command of the palette leads to the open dialog by the address.
import { useSignal } from '@preact/signals'
import type { Asked } from '../route/addresses.ts'
import { place, setQuery } from '../route/location.ts'

export interface OpenState {
  readonly isOpen: boolean
  open(): void
  close(): void
}

export function useOpen(isOpen = false): OpenState {
  const state = useSignal(isOpen)
  return {
    isOpen: state.value,
    open() {
      state.value = true
    },
    close() {
      state.value = false
    },
  }
}

export const isAsked = (what: Asked): boolean => place.value.query.get('do') === what

/** Opens at once where the address asks for it; once closed, the address asks no more. */
export function useAskedOpen(what: Asked): OpenState {
  const { close, ...state } = useOpen(isAsked(what))
  return {
    ...state,
    close() {
      close()
      if (isAsked(what)) setQuery({ do: undefined })
    },
  }
}

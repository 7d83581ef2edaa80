// Whether a dialog of a page is open. The page passes `isOpen` and `close` to the dialog, and `open` to
// the button that leads there.
import { useSignal } from '@preact/signals'

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

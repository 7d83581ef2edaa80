// What the one live region of the console says, and the short notes that stand at its corner. Pages
// call `announce` for what must be heard and `notify` for what was done.
import type { Announcement, Toast } from '@chartside/ui'
import { signal } from '@preact/signals'

export const announcement = signal<Announcement>({ text: '', turn: 0 })

export function announce(text: string): void {
  announcement.value = { text, turn: announcement.value.turn + 1 }
}

export const toasts = signal<readonly Toast[]>([])

const SHOWN_MS = 6000
let count = 0

/** A note with an action stays until it is dismissed. */
export function notify(tone: Toast['tone'], text: string, action?: Toast['action']): void {
  count += 1
  const id = `toast-${count}`
  toasts.value = [...toasts.value.slice(-2), { id, tone, text, action }]
  if (action === undefined && tone === 'good') setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: string): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

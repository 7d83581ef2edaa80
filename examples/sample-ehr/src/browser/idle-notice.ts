// The warning before an idle sign-in ends, with a button to stay. Draws what the host says; the host
// takes it back when the person is active.
import { button, el } from './elements.ts'

export function createIdleNotice(stay: () => Promise<void>) {
  const text = el('span')
  const stayButton = button('Stay', () => {
    stay().catch(() => {
      text.textContent = 'The service cannot be reached. Try again.'
    })
  })
  const element = el('div', { class: 'slot-notice idle-notice', role: 'alert' }, text, stayButton)
  element.hidden = true
  document.querySelector('header')?.after(element)
  return {
    show(endsAt: number | null, reason: 'idle' | 'expired'): void {
      element.hidden = endsAt === null
      if (endsAt === null) return
      const seconds = Math.max(Math.round((endsAt - Date.now()) / 1000), 0)
      const minutes = Math.round(seconds / 60)
      const time = seconds < 90 ? `${seconds} seconds` : `${minutes} minutes`
      text.textContent = `Signed out in ${time}. `
      stayButton.hidden = reason === 'expired'
    },
  }
}

// The warning before an idle sign-in ends, with a button to stay. Draws what the host says; the host
// takes it back when the person is active. Counts down to the end, which it names in local time.
import { button, el } from './elements.ts'
import { formatTime } from './times.ts'

const WHY = {
  idle: 'You have not been active for a while.',
  expired: 'Your sign-in comes to its end.',
}

export function createIdleNotice(stay: () => Promise<void>) {
  const why = el('span', { role: 'alert' })
  const problem = el('span', { role: 'alert' })
  // Drawn each second, and so not said aloud.
  const countdown = el('span', { class: 'countdown' })
  const stayButton = button('Stay', () => {
    stay().catch(() => {
      problem.textContent = 'The service cannot be reached. Try again. '
    })
  })
  const element = el(
    'div',
    { class: 'slot-notice idle-notice' },
    why,
    countdown,
    problem,
    stayButton,
  )
  element.hidden = true
  let timer: number | undefined
  document.querySelector('header')?.after(element)
  return {
    show(endsAt: number | null, reason: 'idle' | 'expired'): void {
      window.clearInterval(timer)
      element.hidden = endsAt === null
      if (endsAt === null) return
      problem.textContent = ''
      stayButton.hidden = reason === 'expired'
      why.textContent = `${WHY[reason]} You will be signed out at ${formatTime(endsAt)}.`
      const draw = (): void => {
        const left = Math.max(Math.round((endsAt - Date.now()) / 1000), 0)
        countdown.textContent = ` ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left. `
      }
      draw()
      timer = window.setInterval(draw, 1000)
    },
  }
}

// The strip above an app whose access ends: counts down to the moment at which the host opens the
// app anew. Says it aloud once, not each second. Owns its timer and nothing of the launch.
import { byId, el } from './elements.ts'

export class ExpiryStrip {
  readonly element = el('p', { class: 'slot-notice' })
  readonly #app: string
  #timer: number | undefined

  constructor(app: string) {
    this.#app = app
  }

  show(inSeconds: number): void {
    const endsAt = Date.now() + inSeconds * 1_000
    const draw = (): void => {
      const left = Math.max(0, Math.round((endsAt - Date.now()) / 1_000))
      this.element.textContent = `◷ ${this.#app} renews in ${left} s. Save your work.`
    }
    this.hide()
    draw()
    this.#timer = window.setInterval(draw, 1_000)
    byId('announcer', HTMLElement).textContent = this.element.textContent
  }

  hide(): void {
    window.clearInterval(this.#timer)
    this.element.textContent = ''
  }
}

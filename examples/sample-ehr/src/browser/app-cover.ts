// Covers the frame of an app until the app says hello, so that a page of the browser, such as that of
// a server that is down, never shows. Words for the provider first, evidence for the developer in a
// fold. Draws a state of the host's; decides none.
import type { EndReason, LaunchState } from '@chartside/host'
import { button, el } from './elements.ts'

export class AppCover {
  readonly element = el('div', { class: 'cover' })
  readonly #app: string
  readonly #onShowPage: () => void

  constructor(app: string, onShowPage: () => void) {
    this.#app = app
    this.#onShowPage = onShowPage
    this.element.hidden = true
  }

  show(state: LaunchState): void {
    this.element.hidden = !isCovered(state)
    this.element.dataset.state = state.kind
    this.element.replaceChildren(...this.#draw(state))
  }

  hide(): void {
    this.element.hidden = true
  }

  #draw(state: LaunchState): HTMLElement[] {
    const app = this.#app
    const showPage = button('Show the page of the app', this.#onShowPage)
    switch (state.kind) {
      case 'opening':
        return state.isSlow
          ? [line(`${app} takes longer than usual to open.`), showPage]
          : [line(`Opening ${app}…`)]
      case 'failed':
        return [
          el('p', { class: 'cover-title' }, `${app} could not open.`),
          line('The chart is not affected. Launch the app again, or ask for support.'),
          ...buildEvidence(state),
          ...(state.step === 'created' ? [] : [showPage]),
        ]
      case 'disabled':
        return [
          el('p', { class: 'cover-title' }, `${app} is not available.`),
          line(`${state.cause} An administrator of the practice can change that.`),
        ]
      case 'ended':
        return [line(`${app} was closed. ${ENDINGS[state.reason]}`)]
      default:
        return []
    }
  }
}

/** A page that has said hello explains itself what follows. */
export const isCovered = (state: LaunchState): boolean =>
  state.kind === 'disabled' || ('hasHello' in state && !state.hasHello)

const ENDINGS: Readonly<Record<EndReason, string>> = {
  signed_out: 'You signed out.',
  session_ended: 'The EHR session ended.',
  launch_ended: 'Its access was revoked.',
  expired: 'Its access expired.',
  closed: '',
}

const line = (text: string) => el('p', {}, text)

function buildEvidence({ step, code, cause, fix }: LaunchState & { kind: 'failed' }) {
  const list = el('dl', {}, el('dt', {}, 'Step'), el('dd', {}, `${step}: ${code}`))
  for (const [term, text] of [
    ['Cause', cause],
    ['Fix', fix],
  ] as const) {
    if (text) list.append(el('dt', {}, term), el('dd', {}, text))
  }
  return [el('details', {}, el('summary', {}, 'For support'), list)]
}

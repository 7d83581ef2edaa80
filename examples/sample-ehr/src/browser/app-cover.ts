// Covers the frame of an app until the app says hello, and again when its session or its process
// has ended, so that neither a page of the browser nor an orphaned app shows. Words for the
// provider; evidence for the developer in a fold. Draws a state of the host's; decides none.
import type { LaunchState } from '@chartside/host'
import { button, el } from './elements.ts'
import { explainEnding, shownKind } from './launch-words.ts'

export interface CoverActions {
  showPage(): void
  launchAgain(): void
}

export class AppCover {
  readonly element = el('div', { class: 'cover' })
  readonly #app: string
  readonly #actions: CoverActions

  constructor(app: string, actions: CoverActions) {
    this.#app = app
    this.#actions = actions
    this.element.hidden = true
  }

  show(state: LaunchState): void {
    this.element.hidden = !isCovered(state)
    this.element.dataset.state = shownKind(state)
    this.element.replaceChildren(...this.#draw(state))
  }

  /** The process of the app has ended; what the frame shows answers no more. */
  showStopped(problem: string): void {
    this.element.hidden = false
    this.element.dataset.state = 'stopped'
    this.element.replaceChildren(
      title(`${this.#app} has stopped.`),
      line('The chart is not affected. It opens again by itself once it runs.'),
      buildEvidence([['Cause', problem]]),
    )
  }

  /** The session is over, so that nothing can be tried again. */
  showOver(): void {
    this.element.hidden = false
    this.element.dataset.state = 'ended'
    this.element.replaceChildren(
      title(`${this.#app} is closed.`),
      line('You are signed out. Sign in to open it again.'),
    )
  }

  hide(): void {
    this.element.hidden = true
  }

  #draw(state: LaunchState): HTMLElement[] {
    const app = this.#app
    const showPage = button('Show the page of the app', () => this.#actions.showPage())
    const again = button('Try again', () => this.#actions.launchAgain())
    switch (state.kind) {
      case 'opening':
        return state.isSlow
          ? [spinner(), line(`${app} takes longer than usual to open.`), actions(showPage)]
          : [spinner(), line(`Opening ${app}…`)]
      case 'failed':
        return [
          title(`${app} could not open.`),
          line('The chart is not affected. Try again, or go on without it and ask for support.'),
          actions(again, ...(state.step === 'created' ? [] : [showPage])),
          buildEvidence([
            ['Step', `${state.step}: ${state.code}`],
            ['Cause', state.cause],
            ['Fix', state.fix],
          ]),
        ]
      case 'disabled':
        return [
          title(`${app} is switched off.`),
          line(`${state.cause} An administrator of the practice can change that.`),
        ]
      case 'ended':
        return shownKind(state) === 'disabled'
          ? [title(`${app} is switched off.`), line(explainEnding(state))]
          : [title(`${app} is closed.`), line(explainEnding(state))]
      default:
        return []
    }
  }
}

/** A page that has said hello explains itself what follows, until it may not show any more. */
export const isCovered = (state: LaunchState): boolean =>
  state.kind === 'disabled' || state.kind === 'ended' || ('hasHello' in state && !state.hasHello)

const title = (text: string) => el('p', { class: 'cover-title' }, text)
const line = (text: string) => el('p', {}, text)
const actions = (...buttons: HTMLElement[]) => el('div', { class: 'actions' }, ...buttons)
const spinner = () => el('span', { class: 'spinner', 'aria-hidden': 'true' })

function buildEvidence(rows: readonly (readonly [term: string, text: string])[]): HTMLElement {
  const list = el('dl')
  for (const [term, text] of rows) {
    if (text) list.append(el('dt', {}, term), el('dd', {}, text))
  }
  return el('details', {}, el('summary', {}, 'For support'), list)
}

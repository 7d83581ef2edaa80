// One app of the panel: its tab or chip, the place of its frame, and the cover over it. Opens and
// reloads the frame by the host; the host owns the launch, its state and the handshake.
import {
  type Host,
  HostError,
  type LaunchState,
  NOT_STARTED,
  nextLaunchState,
  type OpenFrame,
  type OpeningEvent,
} from '@chartside/host'
import type { AppKind, SessionApp } from '@chartside/protocol/launch'
import { AppCover, isCovered } from './app-cover.ts'
import { confirmLoss } from './confirm-loss.ts'
import { el } from './elements.ts'

export class AppSlot {
  readonly app: SessionApp
  readonly kind: AppKind
  /** The tab of a panel app, or the chip of a worker. */
  readonly trigger: HTMLElement
  /** The parent of the frame. */
  readonly mount: HTMLElement
  frame: OpenFrame | null = null
  readonly #host: Host
  readonly #message = el('p', { class: 'slot-message', role: 'status' })
  readonly #cover: AppCover
  #state: LaunchState = NOT_STARTED
  readonly #notice = el('p', { class: 'slot-notice', role: 'status' })
  #isOpening = false

  constructor(host: Host, app: SessionApp, kind: AppKind) {
    this.#host = host
    this.app = app
    this.kind = kind
    this.trigger = kind === 'worker' ? buildChip(app) : buildTab(app)
    this.mount = kind === 'worker' ? el('div') : buildTabPanel(app)
    this.#cover = new AppCover(app.name, () => this.#showPage())
    this.mount.append(el('div', {}, this.#message, this.#notice), this.#cover.element)
    this.setState(NOT_STARTED)
  }

  async open(): Promise<void> {
    if (this.frame || this.#isOpening) return
    this.#isOpening = true
    this.#showMessage('')
    this.#apply({ type: 'requested' })
    const { app, kind, mount } = this
    try {
      this.frame = await this.#host.open({ appId: app.id, kind, mount })
      if (kind === 'worker') this.frame.element.tabIndex = -1
      this.setState(this.#host.findState(this.frame.launch.id))
    } catch (error) {
      this.#apply({ type: 'not_launched', ...describe(error) })
    } finally {
      this.#isOpening = false
    }
  }

  /** A new launch in the same frame; asks first when the app has unsaved work. */
  async launchAgain(): Promise<void> {
    if (!this.frame) return void this.open()
    if (this.frame.hasUnsavedWork && !(await confirmLoss(this.app.name))) return
    this.#showMessage('')
    this.frame.reload().catch((error: unknown) => {
      this.#showMessage(describe(error).message)
    })
  }

  /**
   * The same Launch URL again, as a reload by hand: the code of the app is used already. Replaces
   * the history entry, so that Back still leaves the chart.
   */
  reloadFrame(): void {
    const element = this.frame?.element
    element?.contentWindow?.location.replace(element.src)
  }

  /** The host opens the app anew at the end of its token. */
  showExpiring(inSeconds: number): void {
    const { name } = this.app
    this.#notice.textContent = `${name} opens anew in ${inSeconds} s, because its access ends. Save your work.`
  }

  setState(state: LaunchState): void {
    if (state.kind !== 'ready') this.#notice.textContent = ''
    this.#state = state
    this.trigger.dataset.state = state.kind
    this.trigger.title = `${this.app.name}: ${STATE_WORDS[state.kind]}`
    this.#cover.show(state)
    this.#setCovered(isCovered(state))
  }

  #apply(event: OpeningEvent): void {
    this.setState(nextLaunchState(this.#state, event))
  }

  #showPage(): void {
    this.#cover.hide()
    this.#setCovered(false)
  }

  /** What is covered takes no focus either. */
  #setCovered(isCovered: boolean): void {
    if (this.frame && this.kind === 'ui') this.frame.element.inert = isCovered
  }

  #showMessage(text: string): void {
    this.#message.textContent = text
  }
}

/** As the timeline says them. */
export const STATE_WORDS: Readonly<Record<LaunchState['kind'], string>> = {
  not_started: 'Not started',
  opening: 'Opening',
  ready: 'Ready',
  failed: 'Failed',
  ended: 'Ended',
  disabled: 'Not available',
}

const describe = (error: unknown) =>
  error instanceof HostError
    ? { code: error.code, message: error.message }
    : { code: 'unexpected_error', message: 'The app could not be launched.' }

const buildDot = () => el('span', { class: 'dot', 'aria-hidden': 'true' })

const buildChip = ({ name }: SessionApp): HTMLElement =>
  el('span', { class: 'chip' }, buildDot(), name)

const buildTab = ({ id, name }: SessionApp): HTMLElement =>
  el(
    'button',
    { type: 'button', role: 'tab', id: `tab-ui-${id}`, 'aria-controls': `slot-ui-${id}` },
    buildDot(),
    name,
  )

const buildTabPanel = ({ id }: SessionApp): HTMLElement => {
  const labels = { id: `slot-ui-${id}`, 'aria-labelledby': `tab-ui-${id}` }
  return el('div', { class: 'slot', role: 'tabpanel', ...labels })
}

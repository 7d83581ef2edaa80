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
import type { AppNotice } from './app-notices.ts'
import { confirmLoss } from './confirm-loss.ts'
import { button, byId, el } from './elements.ts'
import { ExpiryStrip } from './expiry-strip.ts'
import { describeState, isAnnounced, STATE_WORDS, shownKind } from './launch-words.ts'

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
  readonly #glyph = el('span', { class: 'glyph', 'aria-hidden': 'true' })
  readonly #word: HTMLElement
  readonly #startAgain: HTMLButtonElement
  readonly #cover: AppCover
  #state: LaunchState = NOT_STARTED
  readonly #strip: ExpiryStrip
  #isOpening = false
  #isProcessStopped = false
  #isOver = false

  constructor(host: Host, app: SessionApp, kind: AppKind) {
    this.#host = host
    this.app = app
    this.kind = kind
    this.#startAgain = button('Start again', () => void this.launchAgain())
    this.#word = el('span', { class: kind === 'worker' ? 'word' : 'unseen' })
    this.trigger = kind === 'worker' ? this.#buildChip() : this.#buildTab()
    this.mount = kind === 'worker' ? el('div') : buildTabPanel(app)
    this.#strip = new ExpiryStrip(app.name)
    this.#cover = new AppCover(app.name, {
      showPage: () => this.#showPage(),
      launchAgain: () => void this.launchAgain(),
    })
    this.mount.append(el('div', {}, this.#message, this.#strip.element), this.#cover.element)
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
    this.#strip.show(inSeconds)
  }

  /** Opens what is open again with the new version of the app, unless that loses work. */
  onNotice({ state, problem, isNew }: AppNotice): void {
    const wasStopped = this.#isProcessStopped
    this.#isProcessStopped = state === 'stopped'
    if (state === 'stopped') {
      this.#cover.showStopped(problem)
      this.#setCovered(true)
    } else if (state === 'running' && this.frame && (isNew || wasStopped)) {
      this.setState(this.#state)
      if (!this.frame.hasUnsavedWork) void this.launchAgain()
      else this.#showMessage('A new version runs. Save your work, then choose Launch again.')
    }
  }

  setState(state: LaunchState): void {
    if (state.kind !== 'ready') this.#strip.hide()
    const isNews = state.kind !== this.#state.kind && isAnnounced(state)
    this.#state = state
    this.trigger.dataset.state = shownKind(state)
    this.trigger.title = `${this.app.name}: ${describeState(state)}`
    this.#glyph.textContent = STATE_WORDS[shownKind(state)].glyph
    this.#word.textContent = `, ${describeState(state)}`
    this.#startAgain.hidden = !['failed', 'ended', 'not_started'].includes(state.kind)
    if (this.#isProcessStopped) return
    if (this.#isOver && state.kind === 'failed') this.#cover.showOver()
    else this.#cover.show(state)
    this.#setCovered(this.#isOver || isCovered(state))
    if (isNews) byId('announcer', HTMLElement).textContent = this.trigger.title
  }

  /** After the end of the session nothing of it can be started. */
  end(): void {
    this.#isOver = true
    this.setState(this.#state)
    this.#startAgain.remove()
    if (this.trigger instanceof HTMLButtonElement) this.trigger.disabled = true
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

  #buildChip(): HTMLElement {
    return el('span', { class: 'chip' }, this.#glyph, this.app.name, this.#word, this.#startAgain)
  }

  #buildTab(): HTMLButtonElement {
    const { id, name } = this.app
    const labels = { role: 'tab', id: `tab-ui-${id}`, 'aria-controls': `slot-ui-${id}` }
    return el('button', { type: 'button', ...labels }, this.#glyph, name, this.#word)
  }
}

const describe = (error: unknown) =>
  error instanceof HostError
    ? { code: error.code, message: error.message }
    : { code: 'unexpected_error', message: 'The app could not be launched.' }

const buildTabPanel = ({ id }: SessionApp): HTMLElement => {
  const labels = { id: `slot-ui-${id}`, 'aria-labelledby': `tab-ui-${id}` }
  return el('div', { class: 'slot', role: 'tabpanel', ...labels })
}

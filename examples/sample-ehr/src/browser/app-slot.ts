// One app of the panel: its tab or chip, the place of its frame, and its state. Opens and reloads
// the frame by the host; the host owns the launch and the handshake.
import type { Host, OpenFrame } from '@chartside/host'
import type { AppKind, SessionApp } from '@chartside/protocol/launch'
import { el } from './elements.ts'

type SlotState = 'opening' | 'ready' | 'failed' | 'ended'

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
  #isOpening = false

  constructor(host: Host, app: SessionApp, kind: AppKind) {
    this.#host = host
    this.app = app
    this.kind = kind
    this.trigger = kind === 'worker' ? buildChip(app) : buildTab(app)
    this.mount = kind === 'worker' ? el('div') : buildTabPanel(app)
    this.mount.append(this.#message)
  }

  async open(): Promise<void> {
    if (this.frame || this.#isOpening) return
    this.#isOpening = true
    this.#showMessage('')
    const { app, kind, mount } = this
    try {
      this.frame = await this.#host.open({ appId: app.id, kind, mount })
      if (kind === 'worker') this.frame.element.tabIndex = -1
      this.setState('opening')
    } catch (error) {
      this.setState('failed')
      this.#showMessage(messageOf(error, 'The app could not be launched.'))
    } finally {
      this.#isOpening = false
    }
  }

  /** A new launch in the same frame. */
  launchAgain(): void {
    if (!this.frame) return void this.open()
    this.#showMessage('')
    this.frame.reload().catch((error: unknown) => {
      this.#showMessage(messageOf(error, 'The app could not be launched again.'))
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

  setState(state: SlotState): void {
    this.trigger.dataset.state = state
    this.trigger.title = `${this.app.name}: ${state}`
  }

  get hasFailed(): boolean {
    return this.trigger.dataset.state === 'failed'
  }

  #showMessage(text: string): void {
    this.#message.textContent = text
  }
}

const messageOf = (error: unknown, fallback: string): string =>
  error instanceof Error ? error.message : fallback

const buildDot = () => el('span', { class: 'dot', 'aria-hidden': 'true' })

const buildChip = ({ name }: SessionApp): HTMLElement =>
  el('span', { class: 'chip', 'data-state': 'closed' }, buildDot(), name)

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

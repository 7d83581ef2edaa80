// The panel as a page: signals of what is shown, the hosting of the UI apps, and what the person does. It
// uses no chrome.*: the document of the extension and the page of the sandbox each play the background of
// messages.ts for it. The view is built again at most once a second while nothing happens.
/** @jsxImportSource preact */
import type { Announcement } from '@chartside/ui'
import { computed, effect, signal } from '@preact/signals'
import { render } from 'preact'
import type { BackgroundMessage, HostGrant, PanelCommand, PanelState } from '../messages.ts'
import type { PanelAction } from './actions.ts'
import { announce } from './announcement.ts'
import { createHosting, type Hosting, type HostingListener } from './hosting.ts'
import type { AccessRefusal } from './pages.ts'
import type { PagesChecked } from './pages-checked.ts'
import { PanelApp } from './panel-app.tsx'
import { buildView, type PanelInput, type Reported } from './panel-view.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

const TICK_MS = 1000

/** The action that only the document around the panel can do, in the turn of the press. */
export type BrowserAction = Extract<PanelAction, { type: 'allow' }>

export interface PanelPageOptions extends Pick<HostingListener, 'createHost'> {
  /** The panel is drawn into it. */
  readonly root: HTMLElement
  /** Holds the apps, and is never drawn again. */
  readonly frames: HTMLElement
  /** A part of another page, which has a main landmark of its own. */
  readonly isEmbedded?: boolean
  /** The name and version of the host, as reports show it. */
  readonly version: string
  /** Sends the command to the background. */
  send(command: PanelCommand): void
  act(action: BrowserAction): void
  /** The app whose tab is selected now; null without one. */
  onShow?(appId: string | null): void
}

export class PanelPage {
  readonly #options: PanelPageOptions
  readonly #hosting: Hosting
  readonly #state = signal<PanelState | null>(null)
  readonly #slots = signal<readonly Slot[]>([])
  readonly #chosen = signal<string | null>(null)
  readonly #unfolded = signal<PanelInput['unfolded']>(null)
  readonly #signInEnds = signal<PanelInput['signInEnds']>(null)
  readonly #pagesChecked = signal<PagesChecked | null>(null)
  readonly #reported = signal<Reported | null>(null)
  readonly #now = signal(Date.now())
  readonly #accessRefusal = signal<AccessRefusal | null>(null)
  readonly #said = signal<Announcement>({ text: '', turn: 0 })

  constructor(options: PanelPageOptions) {
    const { root, frames } = options
    this.#options = options
    this.#hosting = createHosting(frames, {
      createHost: options.createHost,
      now: () => Date.now(),
      onSlots: (next) =>
        this.#change(() => {
          this.#slots.value = next(this.#slots.value)
        }),
      onSignInEnds: (ends) => {
        this.#signInEnds.value = ends
      },
      onLaunches: (launches) => options.send({ type: 'launches', launches }),
    })
    const input = computed(() => this.#buildInput())
    const view = computed(() => buildView(input.value))
    const shown = computed(() => view.value.appId)
    effect(() => options.onShow?.(shown.value))
    effect(() => {
      root.dataset.view = this.#state.value?.view.kind ?? 'starting'
    })
    setInterval(() => {
      this.#now.value = Date.now()
    }, TICK_MS)
    const act = (action: PanelAction) => this.#act(action)
    render(
      <PanelApp
        {...{ view, input, frames, act }}
        said={this.#said}
        hosting={this.#hosting}
        isEmbedded={options.isEmbedded ?? false}
        version={options.version}
      />,
      root,
    )
  }

  receive(message: BackgroundMessage): void {
    if (message.type === 'grant') this.#start(message.grant, message.opensWith)
    else if (message.type === 'preflight') {
      this.#pagesChecked.value = { appId: message.appId, answer: message.answer }
    } else if (message.type === 'reported') {
      this.#reported.value = { failure: message.failure }
    } else if (message.type === 'chart') this.#hosting.setChart(message.chart)
    else if (message.type === 'withdraw') {
      this.#hosting.withdraw(message.sessionId, message.reason)
    } else {
      this.#change(() => {
        this.#state.value = message.state
      })
    }
  }

  /** The sign-in ends soon, so each activity counts. */
  get isWarned(): boolean {
    return this.#signInEnds.value !== null || Boolean(this.#state.value?.signsOutAt)
  }

  /** Starts with the app that was open here, or the one with which the EHR begins. */
  #start(grant: HostGrant, opensWith: string | null): void {
    const isHere = grant.session.apps.some(({ id }) => id === this.#chosen.value)
    if (!isHere) this.#chosen.value = opensWith
    this.#hosting.start(grant, this.#chosen.value)
  }

  /** Shows a refusal; null takes an earlier one back. */
  showRefusal(refusal: AccessRefusal | null): void {
    this.#accessRefusal.value = refusal
    if (!refusal) return
    const words = refusal.by === 'person' ? WORDS.deniedText : WORDS.blockedText
    this.#say(words(refusal.ehrName))
  }

  /** Shows an app, and launches it when it has no frame. */
  openApp(appId: string): void {
    this.#chosen.value = appId
    this.#unfolded.value = null
    this.#options.send({ type: 'appChosen', appId })
    const slot = this.#slots.value.find((one) => one.appId === appId)
    const isIdle = slot?.state.kind === 'not_started' || slot?.state.kind === 'ended'
    if (isIdle && !slot.hasUnsavedWork) this.#hosting.launch(appId)
  }

  /** A new launch in place of the open one; false when that would lose work that is not saved. */
  launchAgain(appId: string): boolean {
    const slot = this.#slots.value.find((one) => one.appId === appId)
    if (!slot || slot.hasUnsavedWork) return false
    if (slot.launchId !== null) this.#hosting.launch(appId)
    return true
  }

  #buildInput(): PanelInput {
    const state = this.#state.value
    return {
      state,
      slots: this.#slots.value,
      chosen: this.#chosen.value,
      unfolded: this.#unfolded.value,
      pagesChecked: this.#pagesChecked.value,
      reported: this.#reported.value,
      signInEnds: this.#signInEnds.value ?? null,
      accessRefusal: this.#accessRefusal.value,
      now: this.#now.value,
    }
  }

  #change(apply: () => void): void {
    const before = { state: this.#state.value, slots: this.#slots.value }
    this.#now.value = Date.now()
    apply()
    const text = announce(before, { state: this.#state.value, slots: this.#slots.value })
    if (text !== '') this.#say(text)
  }

  #say(text: string): void {
    this.#said.value = { text, turn: this.#said.value.turn + 1 }
  }

  #act(action: PanelAction): void {
    const { send, act } = this.#options
    switch (action.type) {
      case 'send':
        if (action.command.type === 'preflight') {
          this.#pagesChecked.value = { appId: action.command.appId, answer: null }
        }
        if (action.command.type === 'report') this.#reported.value = 'sending'
        send(action.command)
        break
      case 'openApp':
        this.openApp(action.appId)
        break
      case 'launchAgain':
        this.#hosting.launch(action.appId)
        break
      case 'closeApp':
        this.#hosting.close(action.appId)
        break
      case 'openForChart':
        this.#hosting.openForChart(action.appId)
        break
      case 'goOnWithEarlierChart':
        this.#hosting.goOnWithEarlierChart(action.appId)
        break
      case 'allow':
        act(action)
        break
      case 'stay':
        send({ type: 'stay' })
        break
      case 'showBackground':
        this.#unfolded.value = 'background'
        break
      case 'showDiagnostics':
        this.#unfolded.value = 'diagnostics'
        break
      case 'fold':
        this.#unfolded.value = null
        break
      case 'signOut':
      case 'changePractice':
        for (const { appId } of this.#slots.value) this.#hosting.close(appId)
        send({ type: action.type })
        break
      case 'report':
        break
    }
  }
}

// Plays the background of the extension for the panel that providers see: one EHR session with one host, the
// state that the panel draws, its Worker apps, and the commands of the panel. The service and the page do the
// rest. Contract §5, §11.

import type { PanelCommand, PanelState, Problem, WorkerApp } from '@chartside/extension/messages'
import { PanelPage } from '@chartside/extension/panel'
import { WorkerHosting } from '@chartside/extension/workers'
import {
  createHost,
  type EndReason,
  type Host,
  type HostEvent,
  type HostOptions,
} from '@chartside/host'
import type { SessionApp } from '@chartside/protocol/launch'
import { byId } from './elements.ts'
import { type OpenedSession, reportProblem } from './service.ts'

type HostListener = Required<Pick<HostOptions, 'onEvent' | 'onState'>>

export interface PanelBackgroundOptions extends HostListener {
  readonly service: string
  ehrName: string
  /** The app whose tab is selected. */
  onShow(appId: string | null): void
  onSignOut(): void
}

interface Current extends OpenedSession {
  readonly host: Host
  readonly workers: WorkerHosting
  readonly shown: Map<string, WorkerApp>
  /** The panel, once it hosts the apps with a screen. */
  panel: HostListener | null
}

export class PanelBackground {
  readonly #options: PanelBackgroundOptions
  readonly #panel: PanelPage
  #current: Current | null = null
  #because: EndReason | null = null
  #isOpen = false
  #isOffline = false

  constructor(options: PanelBackgroundOptions) {
    this.#options = options
    this.#panel = new PanelPage({
      root: byId('panel', HTMLElement),
      frames: byId('frames', HTMLElement),
      isEmbedded: true,
      version: 'Sandbox',
      send: (command) => this.#receive(command),
      createHost: (grant, listener) => this.#share(grant.session.id, listener),
      act: () => {},
      onShow: (appId) => options.onShow(appId),
    })
    this.#sendState()
  }

  /** A session with its host; that of an earlier session is closed. */
  begin(opened: OpenedSession, chartKey: string): void {
    this.end('closed')
    const { token, session } = opened
    const host = createHost({
      ...{
        service: this.#options.service,
        sessionToken: token,
        session,
        chartKey,
        version: 'Sandbox',
      },
      onEvent: (event) => this.#onEvent(event),
      onState: (launch, state) => {
        for (const listener of this.#listeners()) listener.onState(launch, state)
      },
    })
    const shown = new Map<string, WorkerApp>()
    const workers = new WorkerHosting({
      ...{ host, apps: session.apps, mount: byId('workers', HTMLElement) },
      onWorker: (worker) => {
        shown.set(worker.appId, worker)
        this.#sendState()
      },
    })
    this.#current = { ...opened, host, workers, shown, panel: null }
    workers.start([])
    this.#grant()
  }

  /** The apps with a screen launch once the panel is open. */
  show(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#grant()
  }

  /** The chart that the address of the EHR names. */
  setChart(key: string | null): void {
    this.#current?.host.setChart(key)
  }

  select(appId: string): void {
    this.#panel.openApp(appId)
  }

  /** False when the app has work that is not saved. */
  launchAgain(appId: string): boolean {
    return this.#panel.launchAgain(appId)
  }

  /** A new launch for each app that is open. */
  launchAllAgain(): void {
    for (const { id } of this.apps) {
      this.#panel.launchAgain(id)
      this.#current?.workers.retry(id)
    }
  }

  get apps(): readonly SessionApp[] {
    return this.#current?.session.apps ?? []
  }

  /** The session is over. What is not saved stays in its frame. */
  end(reason: EndReason): void {
    const { session, host } = this.#current ?? {}
    this.#current = null
    this.#because = reason
    if (session) this.#panel.receive({ type: 'withdraw', sessionId: session.id, reason })
    host?.end(reason)
    byId('workers', HTMLElement).replaceChildren()
    this.#sendState()
  }

  #receive(command: PanelCommand): void {
    if (command.type === 'signOut') this.#options.onSignOut()
    if (command.type === 'signIn') byId('sign-in', HTMLFormElement).querySelector('select')?.focus()
    if (command.type === 'stay') void this.#current?.host.stay().catch(() => {})
    if (command.type === 'report') void this.#report(command.practiceId, command.problem)
    if (command.type === 'retryWorker') this.#current?.workers.retry(command.appId)
  }

  async #report(practiceId: string, problem: Problem): Promise<void> {
    const { service } = this.#options
    const token = this.#current?.token ?? ''
    const failure = await reportProblem(service, token, practiceId, problem).then(
      () => null,
      (error: Error) => error.message,
    )
    this.#panel.receive({ type: 'reported', failure })
  }

  /** One host for both kinds of apps: a page has one sandbox. */
  #share(sessionId: string, panel: HostListener): Host {
    const current = this.#current
    if (current?.session.id !== sessionId) throw new Error('The session is over.')
    current.panel = panel
    return current.host
  }

  #grant(): void {
    const current = this.#current
    if (current && this.#isOpen && !current.panel) {
      const { token: sessionToken, session } = current
      const { service } = this.#options
      this.#sendState()
      this.#panel.receive({
        type: 'grant',
        grant: { service, sessionToken, session, launches: [] },
        opensWith: null,
      })
    }
    this.#sendState()
  }

  #onEvent(event: HostEvent): void {
    this.#current?.workers.onEvent(event)
    for (const listener of this.#listeners()) listener.onEvent(event)
    const isBroken = event.type === 'failed' && event.call === 'events'
    if (!isBroken && event.type !== 'resumed') return
    this.#isOffline = isBroken
    this.#sendState()
  }

  #listeners(): readonly HostListener[] {
    const { panel, workers } = this.#current ?? {}
    const onState: HostListener['onState'] = (launch, state) => workers?.onState(launch, state)
    return [{ onEvent: () => {}, onState }, ...(panel ? [panel] : []), this.#options]
  }

  #sendState(): void {
    this.#panel.receive({ type: 'state', state: this.#buildState() })
  }

  #buildState(): PanelState {
    const shared = { isOffline: this.#isOffline, signsOutAt: null }
    if (!this.#current) {
      return { ...shared, person: null, view: { kind: 'signed_out', because: this.#because } }
    }
    const { user, session, shown } = this.#current
    const view = {
      kind: 'session',
      sessionId: session.id,
      ehrName: this.#options.ehrName,
      practice: session.account,
      apps: session.apps.filter(({ kinds }) => kinds.includes('ui')),
      workers: [...shown.values()],
    } as const
    return { ...shared, person: { name: user.name, email: user.email }, view }
  }
}

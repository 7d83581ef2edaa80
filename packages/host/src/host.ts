// Wires a host together: service, frames, handshake and session events. It opens apps and closes
// them; the rules are in the files it calls. It uses no chrome.*, and of the DOM only iframes and
// window messages, so an extension page and a plain page can both be hosts. Contract §5.
import type { EndReason } from '@chartside/protocol/handshake'
import type { AppKind, EhrSession, Launch, OpenedLaunch } from '@chartside/protocol/launch'
import { ActivityReporter } from './activity.ts'
import { AppFrame } from './app-frame.ts'
import { createChartReferences } from './chart-references.ts'
import { type Clock, systemClock } from './clock.ts'
import { HostError } from './errors.ts'
import type { HostEvent, OpenFrame } from './events.ts'
import type { ChartRules } from './frame-chart.ts'
import type { FrameDependencies } from './frame-dependencies.ts'
import { createFrameElement, requireLaunchUrl } from './frame-element.ts'
import { type LaunchState, LaunchStates } from './launch-state.ts'
import { createServiceClient, type ServiceClient } from './service.ts'
import { buildFailure, emitFailures } from './service-failures.ts'
import { followSession, type SessionListener } from './session-events.ts'
import { answerMessages } from './window-messages.ts'

export interface HostOptions {
  /** The base URL of the service, such as `http://localhost:4700`. */
  readonly service: string
  /** The signed-in user's session token (`st_…`); it never enters a frame. */
  readonly sessionToken: string
  readonly session: EhrSession
  onEvent(event: HostEvent): void
  /** Runs after each event that changes the state of a launch; `launch` is its `Launch.id`. */
  onState?(launch: string, state: LaunchState): void
  /** False when the caller reports the activity of the person itself. Default true. */
  readonly reportsActivity?: boolean
  /** The text is shown with each launch, such as `Extension 1.2.0`. */
  readonly version?: string
  /**
   * The random key of this EHR session, for hosts that share one: the same chart then has the same reference
   * in all of them. Without it the host makes its own.
   */
  readonly chartKey?: string
  /** The milliseconds that a launch may make no step, without a hello, before `hello_timeout`. Default 10,000. */
  readonly helloTimeoutMs?: number
  /** Opens the event stream of the session; `own` asks the service. For hosts that share one stream. */
  openEvents?(own: OpenEvents, signal: AbortSignal): ReturnType<OpenEvents>
  readonly window?: Window
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

type OpenEvents = ServiceClient['openEvents']

export interface OpenOptions {
  readonly appId: string
  readonly kind: AppKind
  /** Receives the iframe; size and visibility are the caller's. */
  readonly mount: HTMLElement
  /** A launch that was opened together with the EHR session; without it the host asks for one. */
  readonly launch?: OpenedLaunch
}

export interface Host {
  /** Launches an app in a new iframe. Rejects with HostError; nothing is mounted then. */
  open(options: OpenOptions): Promise<OpenFrame>
  /** The state of a launch by its `Launch.id`; `not_started` for one that this host has not seen. */
  findState(launch: string): LaunchState
  /**
   * The chart that the page shows now, by any text that names it; null when no chart is open. Call it
   * before `open` and at each change. The text stays in the page: apps get a reference of it, the
   * service gets nothing. Without a call nothing is guarded. Contract §11.
   * @example host.setChart(null)
   */
  setChart(key: string | null): void
  /** Reports that the person is active, as keys and pointer in the page do. Rejects with HostError. */
  stay(): Promise<void>
  /**
   * The EHR session is over, and the caller knows it before the stream says so: its apps
   * learn it, nothing is sent to the service, which has ended the launches.
   */
  end(reason: EndReason): void
  /** Closes every frame and stops listening. The EHR session continues. */
  close(): void
}

/**
 * Creates the end of the SDK's channel that opens apps: it launches, frames, answers the handshake, and
 * launches again when a token ends. Its functions reject with HostError. Never throws itself. Contract §5.
 * @example const host = createHost(options); const frame = await host.open(open)
 */
export function createHost(options: HostOptions): Host {
  return new FrameHost(options)
}

class FrameHost implements Host {
  readonly #options: HostOptions
  readonly #window: Window
  readonly #service: ServiceClient
  readonly #frames = new Set<AppFrame>()
  readonly #states = new LaunchStates()
  readonly #frameDependencies: FrameDependencies
  readonly #closing = new AbortController()
  readonly #stopAnswering: () => void
  readonly #activity: ActivityReporter | null
  /** The end that the page was warned of. */
  #warnedEnd: number | null = null
  /** The end that the stream warned of; a later one takes the warning back. */
  #streamedEnd: number | null = null
  #endReason: EndReason | null = null
  #openedFrames = 0
  /** The chart; undefined until the page has said which one is open. */
  #chart: string | null | undefined

  constructor(options: HostOptions) {
    const { clock = systemClock, window = globalThis.window } = options
    this.#options = options
    this.#window = window
    const emit = (event: HostEvent) => this.#emit(event)
    const client = createServiceClient({
      service: options.service,
      sessionToken: options.sessionToken,
      sessionId: options.session.id,
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    })
    const { openEvents } = options
    const openShared = openEvents && {
      openEvents: (signal: AbortSignal) => openEvents(client.openEvents, signal),
    }
    this.#service = emitFailures({ ...client, ...openShared }, emit)
    this.#frameDependencies = {
      service: this.#service,
      clock,
      hostOrigin: window.location.origin,
      hostVersion: options.version,
      helloTimeoutMs: options.helloTimeoutMs ?? 10_000,
      emit,
      charts: createChartReferences(options.chartKey),
      launch: (appId, kind) => this.#launch(appId, kind),
      findChartRules: (appId, kind) => this.#findChartRules(appId, kind),
      // The client reports the failure; the launch then ends with its token.
      endLaunch: (launch, reason) => void this.#service.endLaunch(launch, reason).catch(() => {}),
      onClosed: ({ id }) => this.#deleteFrame(id),
    }
    this.#stopAnswering = answerMessages(window, this.#frames, emit)
    window.addEventListener('pagehide', this.#onPageHide)
    const reports = options.reportsActivity ?? true
    this.#activity = reports ? new ActivityReporter(window, clock, () => this.stay()) : null
    void followSession(this.#service, clock, this.#listenToSession(), this.#closing.signal)
  }

  async open({ appId, kind, mount, launch: opened }: OpenOptions): Promise<OpenFrame> {
    const launch = opened ? this.#requireOwn(opened, appId) : await this.#launch(appId, kind)
    this.#openedFrames += 1
    const id = `frame-${this.#openedFrames}`
    const element = createFrameElement(this.#window.document, launch.app)
    const frame = new AppFrame(id, kind, element, launch, this.#frameDependencies)
    // Registered before it is mounted, and so before its document can send a hello.
    this.#frames.add(frame)
    if (this.#chart !== undefined) frame.setChart(this.#chart)
    frame.show(launch)
    mount.append(frame.element)
    return frame
  }

  #deleteFrame(id: string): void {
    for (const frame of this.#frames) if (frame.id === id) this.#frames.delete(frame)
  }

  findState(launch: string): LaunchState {
    return this.#states.find(launch)
  }

  setChart(key: string | null): void {
    this.#chart = key
    for (const frame of this.#frames) frame.setChart(key)
  }

  async stay(): Promise<void> {
    await this.#service.reportActivity()
    this.#warn(null, 'idle')
  }

  end(reason: EndReason): void {
    if (this.#endReason) return
    this.#endReason = reason
    this.#closing.abort()
    this.#activity?.stop()
    this.#warn(null, 'idle')
    for (const frame of this.#frames) frame.end(reason)
    this.#emit({ type: 'session_ended', reason })
  }

  close(): void {
    this.#activity?.stop()
    this.#window.removeEventListener('pagehide', this.#onPageHide)
    this.#endReason ??= 'closed'
    this.#closing.abort()
    for (const frame of this.#frames) frame.close()
    this.#stopAnswering()
  }

  /** The frames go with the page, unless the browser keeps it for "Back". */
  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) return
    for (const frame of this.#frames) frame.endLaunch()
  }

  #emit(event: HostEvent): void {
    this.#call(() => this.#options.onEvent(event))
    const changed = this.#states.apply(event)
    if (changed) this.#call(() => this.#options.onState?.(changed.launch, changed.state))
  }

  /**
   * An error in the caller's own code is the page's to report. It must neither stop a launch nor
   * look like a broken connection.
   */
  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#window.reportError(error)
    }
  }

  async #launch(appId: string, kind: AppKind): Promise<OpenedLaunch> {
    this.#requireSession()
    const launch = await this.#service.createLaunch(appId, kind)
    this.#requireSession()
    requireLaunchUrl(launch)
    return launch
  }

  /** A launch of another session or app would give its seed to the wrong frame. */
  #requireOwn(launch: OpenedLaunch, appId: string): OpenedLaunch {
    this.#requireSession()
    if (launch.app.id !== appId || launch.seed.sessionId !== this.#options.session.id) {
      throw new HostError('foreign_launch', 'The launch belongs to another app or EHR session.')
    }
    requireLaunchUrl(launch)
    return launch
  }

  /** Returns the rules by the collection version of the session. */
  #findChartRules(appId: string, kind: AppKind): ChartRules {
    const { apps, ehr } = this.#options.session
    const policy = apps.find(({ id }) => id === appId)?.onChartChange ?? 'relaunch'
    return { policy, mode: ehr?.chartMode ?? 'guard', kind }
  }

  #warn(endsAt: number | null, reason: 'idle' | 'expired'): void {
    if (endsAt === this.#warnedEnd) return
    this.#warnedEnd = endsAt
    this.#activity?.setUrgent(endsAt !== null && reason === 'idle')
    this.#emit({ type: 'idle', endsAt, reason })
  }

  #requireSession(): void {
    const reason = this.#endReason
    if (reason === 'closed') throw new HostError('closed', 'This host was closed.')
    if (reason) throw new HostError('session_ended', `The EHR session has ended (${reason}).`)
  }

  #listenToSession(): SessionListener {
    /** A frame applies only the updates of its own launch. */
    const onLaunch = (view: Launch) => {
      this.#emit({ type: 'launch', view })
      for (const frame of this.#frames) frame.onLaunchUpdate(view)
    }
    return {
      onLaunch,
      onIdle: ({ endsAt, reason }) => {
        const at = Date.parse(endsAt)
        // The service sends a later end once activity has moved it, before or after the answer of `stay`.
        const isOver = this.#streamedEnd !== null && at > this.#streamedEnd && reason === 'idle'
        this.#streamedEnd = isOver ? null : at
        this.#warn(this.#streamedEnd, reason)
      },
      onEnded: (reason) => this.end(reason),
      onResumed: () => {
        this.#streamedEnd = null
        this.#warn(null, 'idle')
        this.#emit({ type: 'resumed' })
        for (const { launch } of this.#frames) {
          this.#service.findLaunch(launch.id).then(onLaunch, () => {})
        }
      },
      onBroken: (error) => this.#emit(buildFailure('events', error)),
    }
  }
}

// Hosts the Worker apps of one EHR session: a frame for each, without a screen, in an element that its
// caller renders. For the offscreen document of the extension and the page of the sandbox. What becomes of an
// app goes to the caller as a `WorkerApp`.
import type { Host, HostEvent, LaunchState, OpenFrame } from '@chartside/host'
import type { OpenedLaunch } from '@chartside/protocol/launch'
import type { SessionApp, WorkerApp } from './messages.ts'

export interface WorkerHostingOptions {
  readonly host: Host
  readonly mount: HTMLElement
  readonly apps: readonly SessionApp[]
  onWorker(worker: WorkerApp): void
}

export class WorkerHosting {
  readonly #options: WorkerHostingOptions
  readonly #apps: readonly SessionApp[]
  /** The app of each launch, by `Launch.id`. */
  readonly #launches = new Map<string, SessionApp>()
  readonly #frames = new Map<string, OpenFrame>()

  constructor(options: WorkerHostingOptions) {
    this.#options = options
    this.#apps = options.apps.filter(({ kinds }) => kinds.includes('worker'))
  }

  /** Opens the apps that launch by themselves; `opened` are launches that exist already. */
  start(opened: readonly OpenedLaunch[]): void {
    for (const app of this.#apps) if (app.autoLaunch) void this.#open(app, opened)
  }

  /** Launches a failed or ended app again. */
  retry(appId: string): void {
    const app = this.#apps.find(({ id }) => id === appId)
    if (!app) return
    const frame = this.#frames.get(appId)
    if (!frame) return void this.#open(app, [])
    this.#show(app, { kind: 'opening' })
    frame.reload().catch((error: unknown) => this.#show(app, describeFailure(error)))
  }

  onEvent(event: HostEvent): void {
    if (event.type !== 'relaunched') return
    const app = this.#launches.get(event.previous)
    if (app) this.#launches.set(event.launch, app)
    this.onState(event.launch, this.#options.host.findState(event.launch))
  }

  onState(launch: string, state: LaunchState): void {
    const app = this.#launches.get(launch)
    if (app) this.#show(app, readState(state))
  }

  async #open(app: SessionApp, opened: readonly OpenedLaunch[]): Promise<void> {
    const { host, mount } = this.#options
    this.#show(app, { kind: 'opening' })
    const launch = opened.find((one) => one.app.id === app.id && one.kind === 'worker')
    if (launch) this.#launches.set(launch.id, app)
    try {
      const options = { appId: app.id, kind: 'worker', mount } as const
      const frame = await host.open(launch ? { ...options, launch } : options)
      this.#launches.set(frame.launch.id, app)
      this.#frames.set(app.id, frame)
      this.onState(frame.launch.id, host.findState(frame.launch.id))
    } catch (error) {
      this.#show(app, describeFailure(error))
    }
  }

  #show({ id: appId, name, iconUrl }: SessionApp, state: WorkerApp['state']): void {
    const worker = { appId, name, state }
    this.#options.onWorker(iconUrl === undefined ? worker : { ...worker, iconUrl })
  }
}

function describeFailure(error: unknown): WorkerApp['state'] {
  const { code = 'failed', message = '' } = error as { code?: string; message?: string }
  return code === 'app_not_available'
    ? { kind: 'disabled' }
    : { kind: 'failed', code, cause: message, fix: '' }
}

function readState(state: LaunchState): WorkerApp['state'] {
  switch (state.kind) {
    case 'ready':
      return { kind: 'ready' }
    case 'failed': {
      const { code, cause, fix } = state
      return { kind: 'failed', code, cause, fix }
    }
    case 'ended':
      return { kind: 'ended', reason: state.reason }
    case 'disabled':
      return { kind: 'disabled' }
    default:
      return { kind: 'opening' }
  }
}

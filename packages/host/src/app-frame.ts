// One app in one place of the page: which launch is there, its iframe (a new one for every launch),
// its channel, and its lifetime from the Launch URL to the end. The rules of who may speak are in
// handshake.ts. The seed and the tokens of a launch never meet another frame, because each frame
// holds its own. Contract §5; security X03, X04, X09.
import {
  buildRefusal,
  buildWelcome,
  type EndReason,
  type Hello,
  type Refusal,
  type ServiceSDKErrorCode,
} from '@chartside/protocol/handshake'
import type { AppKind, HostStepName, LaunchView, OpenedLaunch } from '@chartside/protocol/launch'
import { type Channel, openChannel } from './channel.ts'
import type { Clock } from './clock.ts'
import { HostError } from './errors.ts'
import type { FrameEventDetails, HostEvent, OpenFrame } from './events.ts'
import { watchExpiry } from './expiry.ts'
import { replaceFrameElement } from './frame-element.ts'
import type { ServiceClient, StepReport } from './service.ts'
import { explainSilence } from './silence.ts'

export interface FrameSurroundings {
  readonly service: Pick<ServiceClient, 'introspect' | 'reportStep'>
  readonly clock: Clock
  readonly hostOrigin: string
  readonly helloTimeoutMs: number
  emit(event: HostEvent): void
  /** A new launch whose URL may be shown; rejects with HostError. */
  launch(appId: string, kind: AppKind): Promise<OpenedLaunch>
  onClosed(frame: AppFrame): void
}

const NOT_HEARD_OF = { state: 'opened', steps: [] } as const

const RELAUNCH_PAUSE_MS = 10_000

export class AppFrame implements OpenFrame {
  readonly id: string
  readonly kind: AppKind
  readonly #around: FrameSurroundings
  /** Of the hellos that were answered in this launch. */
  readonly #nonces = new Set<string>()
  /** When the last of them were answered. */
  #answeredAt: readonly number[] = []
  /** What was reported of this launch. */
  readonly #told = new Set<string>()
  #element: HTMLIFrameElement
  #launch: OpenedLaunch
  /** The service's last word on the launch. */
  #view: Pick<LaunchView, 'state' | 'steps'> = NOT_HEARD_OF
  #channel: Channel | null = null
  #ended: EndReason | null = null
  #relaunching: Promise<void> | null = null
  #reported: Promise<void> = Promise.resolve()
  #cancelSilence = () => {}
  /** Null until a token was accepted. */
  #cancelExpiry: (() => void) | null = null

  constructor(
    id: string,
    kind: AppKind,
    element: HTMLIFrameElement,
    launch: OpenedLaunch,
    around: FrameSurroundings,
  ) {
    this.id = id
    this.kind = kind
    this.#element = element
    this.#launch = launch
    this.#around = around
  }

  /** Without the launch_id, which is nobody's to see but the app's. */
  get launch() {
    const { id, app } = this.#launch
    return { id, app }
  }

  /** Another one after `show`. */
  get element(): HTMLIFrameElement {
    return this.#element
  }

  get ended(): EndReason | null {
    return this.#ended
  }

  /** How many were answered in the last minute. */
  get recentHellos(): number {
    const aMinuteAgo = this.#around.clock.now() - 60_000
    this.#answeredAt = this.#answeredAt.filter((at) => at > aMinuteAgo)
    return this.#answeredAt.length
  }

  hasSeen(nonce: string): boolean {
    return this.#nonces.has(nonce)
  }

  /** Opens a launch in a new iframe; the launch before it is over for this frame. */
  show(launch: OpenedLaunch): void {
    const { clock, helloTimeoutMs } = this.#around
    this.#stop()
    this.#ended = null
    this.#launch = launch
    this.#view = NOT_HEARD_OF
    this.#nonces.clear()
    this.#answeredAt = []
    this.#told.clear()
    this.#element = replaceFrameElement(this.#element, launch.launchUrl)
    this.#emit({ type: 'opened' })
    this.#report({ step: 'opened', outcome: 'ok' })
    this.#cancelSilence = clock.after(helloTimeoutMs, () => this.#reportSilence())
  }

  /** Answers a hello that was found genuine: the seed goes to that origin and no other. */
  welcome(hello: Hello, version: number, origin: string): void {
    const { port1, port2 } = new MessageChannel()
    const { launchId, seed, app } = this.#launch
    this.hangUp()
    this.#cancelSilence()
    this.#remember(hello.nonce)
    this.#channel = openChannel(port1, launchId, this.#around.service, this.#around.clock, {
      onAccepted: (expiresAt) => this.#accepted(expiresAt),
      onRefused: (by, code, message) => this.#refused('context', by, code, message),
      onUnexpected: () => this.#around.emit(unexpected(this, origin)),
    })
    const { tokenEndpoint } = app
    const fields = { version, nonce: hello.nonce, launchId, seed }
    const welcome = buildWelcome(
      tokenEndpoint === undefined ? fields : { ...fields, tokenEndpoint },
    )
    this.element.contentWindow?.postMessage(welcome, origin, [port2])
    this.#emit({ type: 'handshake', version, sdkVersion: hello.sdkVersion })
    this.#report({ step: 'handshake', outcome: 'ok' })
  }

  refuse(nonce: string, origin: string, code: Refusal['code'], message: string): void {
    this.#cancelSilence()
    this.#remember(nonce)
    const refusal = buildRefusal({ nonce, code, message })
    this.element.contentWindow?.postMessage(refusal, origin)
    this.#refused('handshake', 'host', code, message)
  }

  #remember(nonce: string): void {
    this.#nonces.add(nonce)
    this.#answeredAt = [...this.#answeredAt, this.#around.clock.now()]
  }

  /** Ends the channel of the document that was in the frame; the next hello opens another. */
  hangUp(): void {
    this.#channel?.close()
    this.#channel = null
  }

  /** Takes the service's word on a launch; other launches than this frame's change nothing. */
  hear(view: LaunchView): void {
    if (view.id !== this.#launch.id || this.#ended) return
    this.#view = view
    if (view.state === 'ended') this.end('launch_ended')
    if (view.state !== 'expired') return
    // An app that never came as far as a token would only expire again.
    if (this.#cancelExpiry) this.#expire()
    else this.end('expired')
  }

  end(reason: EndReason): void {
    if (this.#ended) return
    this.#ended = reason
    this.#channel?.say({ type: 'ended', reason })
    this.#stop()
    this.#emit({ type: 'ended', reason })
  }

  reload(): Promise<void> {
    return this.#relaunch('requested')
  }

  close(): void {
    this.end('closed')
    this.#ended = 'closed'
    this.element.remove()
    this.#around.onClosed(this)
  }

  #accepted(expiresAt: number | null): void {
    this.#emit({ type: 'context', tokenExpiresAt: expiresAt })
    this.#report({ step: 'context', outcome: 'ok' })
    const warn = (inSeconds: number) => {
      this.#channel?.say({ type: 'expiring', inSeconds })
      this.#emit({ type: 'expiring', inSeconds })
    }
    this.#cancelExpiry?.()
    this.#cancelExpiry = watchExpiry(expiresAt, this.#around.clock, warn, () => this.#expire())
  }

  #refused(
    step: HostStepName,
    by: 'host' | 'sdk',
    code: ServiceSDKErrorCode,
    message: string,
  ): void {
    this.#emit({ type: 'refused', by, code, message })
    this.#report({ step, outcome: 'failed', code, detail: message })
  }

  #reportSilence(): void {
    const { hostOrigin, helloTimeoutMs: afterMs } = this.#around
    const message = explainSilence(this.#launch.app, this.#view, hostOrigin, afterMs)
    this.#emit({ type: 'hello_timeout', afterMs, message })
    this.#report({
      step: 'handshake',
      outcome: 'failed',
      code: 'HANDSHAKE_TIMEOUT',
      detail: message,
    })
  }

  /** A token cannot be refreshed: the app is launched again, here (spec §8). */
  #expire(): void {
    this.#channel?.say({ type: 'ended', reason: 'expired' })
    this.#stop()
    this.#relaunch('expired').catch((error: unknown) => {
      if (this.#ended) return
      const again = error instanceof HostError && error.isTransient
      if (!again) return this.end('expired')
      this.#cancelExpiry = this.#around.clock.after(RELAUNCH_PAUSE_MS, () => this.#expire())
    })
  }

  /** Two reasons to launch again at the same time are one launch. */
  #relaunch(because: 'expired' | 'requested'): Promise<void> {
    this.#relaunching ??= this.#launchAgain(because).finally(() => {
      this.#relaunching = null
    })
    return this.#relaunching
  }

  async #launchAgain(because: 'expired' | 'requested'): Promise<void> {
    const { id: previous, app } = this.#launch
    const launch = await this.#around.launch(app.id, this.kind)
    if (this.#ended === 'closed')
      throw new HostError('closed', `The frame of ${app.name} was closed.`)
    this.show(launch)
    this.#emit({ type: 'relaunched', previous, because })
  }

  #stop(): void {
    this.hangUp()
    this.#cancelSilence()
    this.#cancelExpiry?.()
    this.#cancelExpiry = null
  }

  #emit(news: FrameEventDetails): void {
    this.#around.emit({ ...news, frame: this, launch: this.#launch.id })
  }

  /** Each step once in a launch, and each way in which it failed: more of them tell nothing new. */
  #report(step: StepReport): void {
    const { service } = this.#around
    const { id } = this.#launch
    const news = `${step.step} ${step.code ?? step.outcome}`
    if (this.#told.has(news)) return
    this.#told.add(news)
    // One after another, as a timeline shows them. A failed report is told where it fails.
    this.#reported = this.#reported.then(() => service.reportStep(id, step)).catch(() => {})
  }
}

const unexpected = (frame: OpenFrame, origin: string): HostEvent => ({
  type: 'ignored',
  frame,
  reason: 'unexpected',
  origin,
  message: 'Dropped a message on the channel that the handshake does not expect there.',
})

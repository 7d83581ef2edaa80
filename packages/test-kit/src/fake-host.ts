// A host for an app's own tests: answers the hello of a frame as the panel does, accepts the token,
// and then does what the test says: refuse, send no answer, expire, end. Runs in any window, real
// or fake. Verifies nothing, so it is for tests only. Contract §5.
import { parseFailureReport } from '@chartside/protocol/failure-report'
import {
  buildRefusal,
  buildWelcome,
  type EndReason,
  HANDSHAKE_VERSIONS,
  type HostMessage,
  isHello,
  negotiateVersion,
  parseAppMessage,
  parseHello,
  parseNonce,
  type ServiceSDKErrorCode,
} from '@chartside/protocol/handshake'
import type { SessionSeed } from '@chartside/protocol/launch'

export type HostBehaviour =
  /** Welcomes, and accepts any token. */
  | { readonly kind: 'welcome' }
  /** Answers nothing, as a page without a panel. */
  | { readonly kind: 'unresponsive' }
  /** Refuses the hello. */
  | { readonly kind: 'refuse'; readonly code: 'PROTOCOL_MISMATCH' | 'LAUNCH_ENDED' }
  /** Welcomes, and refuses the token. */
  | { readonly kind: 'reject_token'; readonly code: ServiceSDKErrorCode }

/** The part of a message event that is used; a browser's MessageEvent fits. */
interface Message {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
}

/** The part of a window that is used; a browser's Window fits. */
export interface HostWindow {
  addEventListener(type: 'message', listener: (event: Message) => void): void
  removeEventListener(type: 'message', listener: (event: Message) => void): void
}

export interface FakeHostOptions {
  /** The parent window of the app's frame. */
  readonly window: HostWindow
  /** Hellos of other windows are not answered. Default: any. */
  readonly frame?: () => unknown
  readonly launchId?: string
  readonly seed?: SessionSeed
  /** The registered token endpoint (spec §5.2). */
  readonly tokenEndpoint?: string
  readonly behaviour?: HostBehaviour
  /** Milliseconds since 1970. */
  readonly tokenExpiresAt?: number
}

/** The frame's window: `source` of a message. */
interface MessageSource {
  postMessage(message: unknown, origin: string, transfer?: readonly unknown[]): void
}

export interface ReportedFailure {
  readonly code: string
  readonly message: string
  readonly fix?: string
  readonly traceId?: string
}

export interface FakeHost {
  /** Access tokens that were presented, oldest first. */
  readonly tokens: readonly string[]
  /** Failures that the frame reported: its SDK, or the app with `reportLaunchFailure`. */
  readonly failures: readonly ReportedFailure[]
  /** The app keeps the launch open to finish work, as after `expiring`. */
  readonly isHeld: boolean
  /** The value that the app passed last to `setUnsavedWork`. */
  readonly hasUnsavedWork: boolean
  /**
   * The chart that the app says it shows: the key of the last {@link setChart} that it has answered. Undefined
   * while it has answered none; a panel covers the app until this is the newest.
   */
  readonly shownChart: string | null | undefined
  /** Hellos of the frame, answered or not. */
  readonly helloCount: number
  /**
   * Resolves with the access token once one is accepted. Rejects when hello or token is refused,
   * the launch ends or the host stops. After a refusal the next call waits for the next hello.
   */
  ready(): Promise<string>
  /** Applies from the next hello on. */
  setBehaviour(behaviour: HostBehaviour): void
  /**
   * Opens another chart beside the app: it gets a reference of this key once it is ready, and at each change.
   * Null when no chart is open.
   */
  setChart(key: string | null): void
  /** Sends the app that its token expires soon. */
  sendExpiring(inSeconds: number): void
  /** Ends the launch as expired; the panel would launch the app again. */
  expire(): void
  end(reason?: EndReason): void
  /** Stops listening. */
  stop(): void
}

export const SAMPLE_SEED: SessionSeed = {
  userId: 'usr_0001',
  account: { id: 'acc_0001', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_0001',
  deviceId: 'dev_0001',
}

/**
 * Creates a host for the SDK in a test: it answers the hello of a frame with a seed and a port, and accepts,
 * refuses or ends as `setBehaviour` says. It starts no timer before a hello. Never throws itself. Contract
 * §5.
 * @example const host = createFakeHost({ window, frame: () => iframe.contentWindow, launchId })
 */
export function createFakeHost(options: FakeHostOptions): FakeHost {
  return new InMemoryHost(options)
}

/** A MessagePort, named without the types of a browser. */
type Port = InstanceType<typeof MessageChannel>['port1']

interface Waiter {
  resolve(token: string): void
  reject(error: Error): void
}

class InMemoryHost implements FakeHost {
  readonly tokens: string[] = []
  readonly failures: ReportedFailure[] = []
  readonly #options: FakeHostOptions
  readonly #waiting = new Set<Waiter>()
  #behaviour: HostBehaviour
  #helloCount = 0
  #isHeld = false
  #hasUnsavedWork = false
  /** The charts that were sent, by seq; a launch begins with 1. */
  readonly #charts: (string | null)[] = []
  readonly #references = new Map<string, string>()
  #chart: string | null | undefined
  #shownChart: string | null | undefined
  #port: Port | undefined
  #acceptedToken: string | undefined
  #stopped: Error | undefined

  constructor(options: FakeHostOptions) {
    this.#options = options
    this.#behaviour = options.behaviour ?? { kind: 'welcome' }
    options.window.addEventListener('message', this.#onWindowMessage)
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  get hasUnsavedWork(): boolean {
    return this.#hasUnsavedWork
  }

  get shownChart(): string | null | undefined {
    return this.#shownChart
  }

  get helloCount(): number {
    return this.#helloCount
  }

  async ready(): Promise<string> {
    if (this.#acceptedToken !== undefined) return this.#acceptedToken
    if (this.#stopped) throw this.#stopped
    return new Promise<string>((resolve, reject) => this.#waiting.add({ resolve, reject }))
  }

  setBehaviour(behaviour: HostBehaviour): void {
    this.#behaviour = behaviour
  }

  setChart(key: string | null): void {
    if (key === this.#chart) return
    this.#chart = key
    if (this.#acceptedToken !== undefined) this.#sendChart()
  }

  #sendChart(): void {
    if (this.#chart === undefined) return
    const seq = this.#charts.push(this.#chart)
    const ref = this.#chart === null ? null : this.#findReference(this.#chart)
    this.#send({ type: 'chart', seq, ref })
  }

  /** The same for the same key, 22 characters, and nothing of the key. */
  #findReference(key: string): string {
    const known = this.#references.get(key)
    const reference = known ?? `fake-chart-${String(this.#references.size + 1).padStart(11, '0')}`
    this.#references.set(key, reference)
    return reference
  }

  sendExpiring(inSeconds: number): void {
    this.#send({ type: 'expiring', inSeconds })
  }

  expire(): void {
    this.end('expired')
  }

  end(reason: EndReason = 'signed_out'): void {
    this.#send({ type: 'ended', reason })
    this.#closePort()
    this.#rejectWaiting(`it ended the launch (${reason})`)
  }

  stop(): void {
    this.#options.window.removeEventListener('message', this.#onWindowMessage)
    this.#closePort()
    this.#stopped ??= this.#rejectWaiting('it was stopped')
  }

  readonly #onWindowMessage = ({ data, origin, source }: Message): void => {
    const { frame } = this.#options
    if (frame && frame() !== source) return
    const report = parseFailureReport(data)
    if (report) {
      const { type: _, ...failure } = report
      this.failures.push(failure)
    }
    const nonce = isHello(data) ? parseNonce(data) : null
    if (nonce === null) return
    this.#helloCount += 1
    const behaviour = this.#behaviour
    if (behaviour.kind === 'unresponsive') return
    // A hello that cannot be parsed is refused, not dropped, as the real host does.
    const version = negotiateVersion(HANDSHAKE_VERSIONS, parseHello(data)?.versions ?? [])
    const window = source as MessageSource
    if (behaviour.kind === 'refuse' || version === null) {
      const code = behaviour.kind === 'refuse' ? behaviour.code : 'PROTOCOL_MISMATCH'
      const message = 'The fake host refuses this hello.'
      window.postMessage(buildRefusal({ nonce, code, message }), origin)
      this.#rejectWaiting(`it refused the hello with ${code}`)
      return
    }
    const { launchId = 'lnch_fake', seed = SAMPLE_SEED, tokenEndpoint } = this.#options
    const fields = { version, nonce, launchId, seed }
    const welcome = buildWelcome(
      tokenEndpoint === undefined ? fields : { ...fields, tokenEndpoint },
    )
    window.postMessage(welcome, origin, [this.#openPort()])
  }

  /** Replaces the port of the document before; gives the app's end. */
  #openPort(): Port {
    this.#closePort()
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', (event: object) => {
      this.#onPortMessage((event as { data?: unknown }).data)
    })
    port1.start()
    this.#port = port1
    return port2
  }

  #onPortMessage(data: unknown): void {
    const message = parseAppMessage(data)
    if (message?.type === 'failed') {
      const { type: _, ...failure } = message
      this.failures.push(failure)
    }
    if (message?.type === 'hold') this.#isHeld = message.isHeld
    if (message?.type === 'unsaved') this.#hasUnsavedWork = message.isUnsaved
    // The newest counts, as in the panel.
    if (message?.type === 'chart_shown' && message.seq === this.#charts.length) {
      this.#shownChart = this.#charts.at(-1)
    }
    if (message?.type !== 'token') return
    this.tokens.push(message.accessToken)
    const behaviour = this.#behaviour
    if (behaviour.kind === 'reject_token') {
      const { code } = behaviour
      this.#send({ type: 'refused', code, message: 'The fake host refuses it.' })
      this.#rejectWaiting(`it refused one with ${code}`)
      return
    }
    const { tokenExpiresAt } = this.#options
    this.#send(tokenExpiresAt === undefined ? { type: 'ready' } : { type: 'ready', tokenExpiresAt })
    this.#acceptedToken = message.accessToken
    this.#sendChart()
    for (const { resolve } of this.#waiting) resolve(message.accessToken)
    this.#waiting.clear()
  }

  #send(message: HostMessage): void {
    this.#port?.postMessage(message)
  }

  #closePort(): void {
    this.#port?.close()
    this.#port = undefined
    this.#isHeld = false
    this.#hasUnsavedWork = false
  }

  #rejectWaiting(why: string): Error {
    const error = new Error(`The fake host accepted no token: ${why}.`)
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
    return error
  }
}

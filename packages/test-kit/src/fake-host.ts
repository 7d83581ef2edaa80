// The other end of the SDK for an app's own tests: answers the hello of a frame as the panel does,
// takes the token, and then does what the test says: refuse, stay silent, expire, end. Runs in any
// window, real or made up, which is passed in; verifies nothing, so it is for tests only.
// Contract §5; the messages are @chartside/protocol/handshake.
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
  /** Never answers, as a page without a panel around it. */
  | { readonly kind: 'unresponsive' }
  /** Refuses the hello. */
  | { readonly kind: 'refuse'; readonly code: 'PROTOCOL_MISMATCH' | 'LAUNCH_ENDED' }
  /** Welcomes, and refuses the token. */
  | { readonly kind: 'reject_token'; readonly code: ServiceSDKErrorCode }

/** What is used of a message event; a browser's MessageEvent is one. */
interface Message {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
}

/** What is used of a window; a browser's Window is one. */
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

/** The frame's window, as a message names it. */
interface Speaker {
  postMessage(message: unknown, origin: string, transfer?: readonly unknown[]): void
}

export interface FakeHost {
  /** Access tokens that were presented, oldest first. */
  readonly tokens: readonly string[]
  /** What the SDK of the frame said went wrong. */
  readonly failures: readonly { readonly code: ServiceSDKErrorCode; readonly message: string }[]
  /** How many hellos came, answered or not. */
  readonly helloCount: number
  /**
   * Resolves with the access token once one was accepted; rejects when none will be: hello or token
   * refused, launch ended, host stopped. After a refusal the next call waits for the next hello.
   */
  ready(): Promise<string>
  /** From the next hello on. */
  setBehaviour(behaviour: HostBehaviour): void
  /** Tells the app that its token expires soon. */
  sendExpiring(inSeconds: number): void
  /** The token has expired: the panel would launch the app again. */
  expire(): void
  end(reason?: EndReason): void
  /** Listens no more. */
  stop(): void
}

export const SAMPLE_SEED: SessionSeed = {
  userId: 'usr_0001',
  account: { id: 'acc_0001', name: 'Lakeside Family Practice' },
  ehrType: 'meadow',
  sessionId: 'ses_0001',
  deviceId: 'dev_0001',
}

export function createFakeHost(options: FakeHostOptions): FakeHost {
  const { launchId = 'lnch_fake', seed = SAMPLE_SEED, tokenEndpoint, tokenExpiresAt } = options
  const tokens: string[] = []
  const failures: { code: ServiceSDKErrorCode; message: string }[] = []
  let behaviour = options.behaviour ?? { kind: 'welcome' }
  let helloCount = 0
  let port: InstanceType<typeof MessageChannel>['port1'] | undefined
  let accepted: string | undefined
  let stopped: Error | undefined
  const waiting = new Set<{ resolve(token: string): void; reject(error: Error): void }>()

  const say = (message: HostMessage) => port?.postMessage(message)
  const close = () => {
    port?.close()
    port = undefined
  }

  const accept = (token: string) => {
    accepted = token
    for (const { resolve } of waiting) resolve(token)
    waiting.clear()
  }
  const giveUp = (why: string): Error => {
    const error = new Error(`The fake host accepted no token: ${why}.`)
    for (const { reject } of waiting) reject(error)
    waiting.clear()
    return error
  }

  const hear = (event: object) => {
    const message = parseAppMessage((event as { data?: unknown }).data)
    if (message?.type === 'failed') failures.push({ code: message.code, message: message.message })
    if (message?.type !== 'token') return
    tokens.push(message.accessToken)
    if (behaviour.kind === 'reject_token') {
      say({ type: 'refused', code: behaviour.code, message: 'The fake host refuses it.' })
      return void giveUp(`it refused one with ${behaviour.code}`)
    }
    say(tokenExpiresAt === undefined ? { type: 'ready' } : { type: 'ready', tokenExpiresAt })
    accept(message.accessToken)
  }

  const receive = (event: Message) => {
    const nonce = isHello(event.data) ? parseNonce(event.data) : null
    if (nonce === null || (options.frame && options.frame() !== event.source)) return
    helloCount += 1
    const source = event.source as Speaker
    if (behaviour.kind === 'unresponsive') return
    // A hello that cannot be read is refused, not dropped, as the real host does.
    const version = negotiateVersion(HANDSHAKE_VERSIONS, parseHello(event.data)?.versions ?? [])
    if (behaviour.kind === 'refuse' || version === null) {
      const code = behaviour.kind === 'refuse' ? behaviour.code : 'PROTOCOL_MISMATCH'
      const refusal = buildRefusal({ nonce, code, message: 'The fake host refuses this hello.' })
      source.postMessage(refusal, event.origin)
      return void giveUp(`it refused the hello with ${code}`)
    }
    close()
    const channel = new MessageChannel()
    port = channel.port1
    port.addEventListener('message', hear)
    port.start()
    const fields = { version, nonce, launchId, seed }
    const welcome = buildWelcome(
      tokenEndpoint === undefined ? fields : { ...fields, tokenEndpoint },
    )
    source.postMessage(welcome, event.origin, [channel.port2])
  }
  options.window.addEventListener('message', receive)

  const over = (reason: EndReason) => {
    say({ type: 'ended', reason })
    close()
    giveUp(`it ended the launch (${reason})`)
  }
  return {
    tokens,
    failures,
    get helloCount() {
      return helloCount
    },
    async ready() {
      if (accepted !== undefined) return accepted
      if (stopped) throw stopped
      return new Promise<string>((resolve, reject) => waiting.add({ resolve, reject }))
    },
    setBehaviour(next) {
      behaviour = next
    },
    sendExpiring: (inSeconds) => say({ type: 'expiring', inSeconds }),
    expire: () => over('expired'),
    end: (reason = 'signed_out') => over(reason),
    stop() {
      options.window.removeEventListener('message', receive)
      close()
      stopped ??= giveUp('it was stopped')
    },
  }
}

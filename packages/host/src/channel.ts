// The private channel to one document of an app: takes its token once, lets the service verify it
// and sends the result. A channel belongs to one launch and one document; a reload gets another
// one. It never keeps the token. Contract §5 steps 5-6; security X02, X03, X06.
import {
  type FailureFields,
  type HostMessage,
  parseAppMessage,
} from '@chartside/protocol/handshake'
import type { Clock } from './clock.ts'
import { HostError } from './errors.ts'
import type { Introspection, ServiceClient } from './service.ts'
import { decideToken } from './token-verdict.ts'

export interface Channel {
  send(message: HostMessage): void
  /** Messages sent before still arrive; after it the channel neither sends nor receives. */
  close(): void
}

export interface ChannelListener {
  onAccepted(token: Introspection): void
  onRefused(by: 'host' | 'sdk', failure: FailureFields): void
  /** The app finishes work, or has finished it. */
  onHold(isHeld: boolean): void
  onUnsavedWork(isUnsaved: boolean): void
  onChartShown(seq: number): void
  onUnexpected(): void
}

export function openChannel(
  port: MessagePort,
  launchId: string,
  service: Pick<ServiceClient, 'introspect'>,
  clock: Clock,
  listener: ChannelListener,
): Channel {
  let open = true
  let presented = false
  const close = () => {
    open = false
    port.close()
  }
  const send = (message: HostMessage) => {
    if (open) port.postMessage(message)
  }
  const refuse = ({ code, message, fix = '' }: FailureFields) => {
    // The SDK drops a longer message, and would wait for its timeout.
    send({ type: 'refused', code, message: message.slice(0, MAX_MESSAGE_LENGTH), fix })
    close()
    listener.onRefused('host', { code, message, fix })
  }

  async function verify(accessToken: string): Promise<void> {
    const token = await introspectWithRetry(service, clock, accessToken)
    if (!open) return
    if (token instanceof HostError) {
      const message = `The access token could not be verified. ${token.message}`
      return refuse({ code: 'TOKEN_REJECTED', message, fix: 'Wait, then launch the app again.' })
    }
    const verdict = decideToken(token, launchId)
    if (!verdict.accepted) return refuse(verdict)
    const { expiresAt } = verdict
    send(expiresAt === null ? { type: 'ready' } : { type: 'ready', tokenExpiresAt: expiresAt })
    listener.onAccepted(token)
  }

  port.onmessage = ({ data }) => {
    if (!open) return
    const message = parseAppMessage(data)
    if (message?.type === 'token' && !presented) {
      presented = true
      void verify(message.accessToken)
    } else if (message?.type === 'failed') {
      close()
      listener.onRefused('sdk', message)
    } else if (message?.type === 'hold') {
      listener.onHold(message.isHeld)
    } else if (message?.type === 'unsaved') {
      listener.onUnsavedWork(message.isUnsaved)
    } else if (message?.type === 'chart_shown') {
      listener.onChartShown(message.seq)
    } else {
      listener.onUnexpected()
    }
  }
  // The document is gone, by a reload or a navigation: its channel stays closed.
  port.addEventListener('close', close)

  return { send, close }
}

const MAX_MESSAGE_LENGTH = 1024

const RETRY_DELAYS_MS = [500, 1500]

/** A short outage of the service must not end the launch. */
async function introspectWithRetry(
  service: Pick<ServiceClient, 'introspect'>,
  clock: Clock,
  accessToken: string,
): Promise<Introspection | HostError> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await service.introspect(accessToken)
    } catch (error) {
      const delay = RETRY_DELAYS_MS[attempt]
      if (!(error instanceof HostError)) throw error
      if (!error.isTransient || delay === undefined) return error
      await new Promise<void>((resolve) => clock.after(delay, resolve))
    }
  }
}

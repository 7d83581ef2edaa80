// The private channel to the host after the handshake: presents the token, then emits what the host
// sends about the launch. Owns the MessagePort.
// Contract §5 steps 5-6; security X02, X06.
import { type AppMessage, type EndReason, parseHostMessage } from '@chartside/protocol/handshake'
import { type ChartEvent, createCharts } from './charts.ts'
import { LAUNCH_AGAIN, ServiceSDKError } from './errors.ts'
import type { Log, Page } from './page.ts'
import { type Limits, waitFor } from './wait.ts'

export interface ExpiringEvent {
  readonly inSeconds: number
  /** Keeps the launch open until the promise settles, at most 30 s past the end of its token. */
  waitUntil(work: PromiseLike<unknown>): void
}

export interface LaunchEvents {
  /** The launch ends soon; the host will launch the app again in this frame. A late listener gets it too. */
  expiring: ExpiringEvent
  /**
   * The chart beside the app: at each change, and at once for a late listener. The host covers the app
   * until every listener has returned, and what each passed to `waitUntil` is done.
   */
  chart: ChartEvent
  /** The launch has ended, and its token with it. Emitted once; a late listener gets it at once. */
  ended: { readonly reason: EndReason }
}

/** A listener of `chart` may return a promise: it counts as passed to `waitUntil`. */
export type Listener<Name extends keyof LaunchEvents> = (event: LaunchEvents[Name]) => unknown

export interface Channel {
  /** Resolves when the host has verified that the token is live and belongs to this launch. */
  present(accessToken: string, limits: Limits): Promise<void>
  setUnsavedWork(hasUnsavedWork: boolean): void
  /** The returned function unsubscribes. */
  on<Name extends keyof LaunchEvents>(name: Name, listener: Listener<Name>): () => void
  /** Sends the cause of a failed init to the host, for the developer's timeline, and closes the port. */
  abandon(error: unknown): void
}

export function openChannel(port: MessagePort, page: Page, log: Log): Channel {
  const listeners: { readonly [Name in keyof LaunchEvents]: Subscriptions<LaunchEvents[Name]> } = {
    expiring: new Set(),
    chart: new Set(),
    ended: new Set(),
  }
  const past: { [Name in 'expiring' | 'ended']: (() => LaunchEvents[Name]) | null } = {
    expiring: null,
    ended: null,
  }
  const send = (message: AppMessage) => port.postMessage(message)
  const charts = createCharts(listeners.chart, send, page, log)
  let pendingWork = 0
  let accept = () => {}
  let refuse = (_error: ServiceSDKError) => {}
  const waitUntil = (work: PromiseLike<unknown>) => {
    const settle = () => {
      pendingWork -= 1
      if (pendingWork === 0) send({ type: 'hold', isHeld: false })
    }
    pendingWork += 1
    if (pendingWork === 1) send({ type: 'hold', isHeld: true })
    // A function of the app that saves may return nothing.
    Promise.resolve(work).then(settle, settle)
  }

  port.onmessage = ({ data }) => {
    // A port that is closed may still deliver what had arrived before.
    const message = past.ended ? null : parseHostMessage(data)
    log.debug(`Host: ${message?.type ?? 'ignored'}.`)
    if (message?.type === 'ready') accept()
    if (message?.type === 'refused') {
      refuse(new ServiceSDKError(message.code, message.message, message.fix))
    }
    if (message?.type === 'expiring') {
      const endsAt = Date.now() + message.inSeconds * 1000
      const inSeconds = () => Math.max(Math.round((endsAt - Date.now()) / 1000), 0)
      past.expiring = () => ({ inSeconds: inSeconds(), waitUntil })
      notify(listeners.expiring, past.expiring())
    }
    if (message?.type === 'chart') charts.receive(message)
    if (message?.type !== 'ended') return
    const { reason } = message
    past.ended = () => ({ reason })
    past.expiring = null
    port.close()
    refuse(launchEnded(reason))
    notify(listeners.ended, past.ended())
  }

  return {
    present: (accessToken, limits) => {
      if (past.ended) return Promise.reject(launchEnded(past.ended().reason))
      const late = () => unverified(limits)
      return waitFor<void>(limits, late, (resolve, reject) => {
        accept = resolve
        refuse = reject
        send({ type: 'token', accessToken })
      })
    },
    setUnsavedWork: (hasUnsavedWork) =>
      send({ type: 'unsaved', isUnsaved: Boolean(hasUnsavedWork) }),
    on: (name, listener) => {
      const among = listeners[name]
      const own: typeof listener = (event) => listener(event)
      among.add(own)
      const event = name === 'chart' ? charts.show(own as Listener<'chart'>) : past[name]?.()
      if (event) notify(among, event, [own])
      return () => among.delete(own)
    },
    abandon: (error) => {
      if (error instanceof ServiceSDKError) {
        const { code, cause, fix } = error
        send({ type: 'failed', code, message: cause.slice(0, 1024), fix })
      }
      port.close()
    },
  }
}

/** One for each call of `on`: parts of an app may share a listener, and each unsubscribes its own. */
type Subscriptions<E> = Set<(event: E) => unknown>

/**
 * The error of a listener goes to the page's error handler; the other listeners still run. One that
 * unsubscribes meanwhile gets nothing.
 */
function notify<E>(
  among: Subscriptions<E>,
  event: E,
  some: Iterable<(event: E) => void> = among,
): void {
  for (const listener of some) {
    queueMicrotask(() => {
      if (among.has(listener)) listener(event)
    })
  }
}

const launchEnded = (reason: EndReason) =>
  new ServiceSDKError(
    'LAUNCH_ENDED',
    `The launch ended (${reason}) before the SDK was ready.`,
    LAUNCH_AGAIN,
  )

const unverified = ({ ms }: Limits) =>
  new ServiceSDKError(
    'HANDSHAKE_TIMEOUT',
    `The host did not verify the token within ${ms / 1000} s. The side panel may be closed, or offline.`,
    LAUNCH_AGAIN,
  )

// Notifies open event streams of what happens in their EHR session: on this node at once, and on the
// other nodes of a shared database by broadcast. Costs nothing without streams. Knows sessions and
// launches by identifier only; the stream reads the rest itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndReason } from '@chartside/protocol/launch'
import type { BroadcastNotification, SessionBroadcast } from './session-broadcast.ts'

export type SessionNotification =
  /** The node stops: the stream ends without an event, and the host reconnects to another node. */
  | { readonly stopping: true }
  /** The stream reads its session again: a notification may be lost, or its end has moved. */
  | { readonly check: true }
  | { readonly launchId: string }
  | { readonly ended: EndReason }
/** The interval at which a part of the streams ends while a node drains. */
const STOP_TICK_MS = 50

type Listener = (notification: SessionNotification) => void

export interface SessionSubscriptions {
  /** Resolves to the function that unsubscribes, when no notification can be missed any more. */
  subscribe(sessionId: string, listener: Listener): Promise<() => void>
  /** Resolves when every stream of the session is notified, or its node's inbox has the row. */
  notify(
    sessionId: string,
    notification: Exclude<SessionNotification, { stopping: true }>,
  ): Promise<void>
  /** Delivers the notifications of other nodes. @throws DatabaseUnavailable */
  poll(): Promise<void>
  /** Ends every stream of this node, spread over `overMs`; all that are left with the signal, and later ones at once. */
  stop(overMs?: number, signal?: AbortSignal): Promise<void>
}

export interface HasSubscriptions {
  readonly subscriptions: SessionSubscriptions
}

export function sessionSubscriptions(
  broadcast: SessionBroadcast | undefined,
): SessionSubscriptions {
  const listeners = new Map<string, Set<Listener>>()
  let hasMissed = false
  let isStopping = false

  const deliver = (sessionId: string, notification: SessionNotification) => {
    for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(notification)
  }
  const deliverToAll = (notification: SessionNotification) => {
    for (const sessionId of [...listeners.keys()]) deliver(sessionId, notification)
  }
  return {
    async notify(sessionId, notification) {
      deliver(sessionId, notification)
      const addressed = { sessionId, launchId: undefined, ended: undefined, ...notification }
      await broadcast?.publish(addressed as BroadcastNotification)
    },
    async poll() {
      try {
        for (const { sessionId, launchId, ended } of (await broadcast?.poll()) ?? []) {
          if (ended) deliver(sessionId, { ended })
          else deliver(sessionId, launchId ? { launchId } : { check: true })
        }
      } catch (error) {
        // Claimed notifications may be lost with the connection.
        hasMissed = true
        throw error
      }
      if (hasMissed) deliverToAll({ check: true })
      hasMissed = false
    },
    async stop(overMs = 0, signal) {
      isStopping = true
      const sessionIds = [...listeners.keys()]
      const portion = Math.ceil(sessionIds.length / Math.max(1, overMs / STOP_TICK_MS))
      for (let at = 0; at < sessionIds.length; at += portion) {
        if (at > 0) await sleep(STOP_TICK_MS, undefined, { signal }).catch(() => {})
        for (const sessionId of sessionIds.slice(at, at + portion)) {
          deliver(sessionId, { stopping: true })
        }
      }
    },
    async subscribe(sessionId, listener) {
      const ofSession = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, ofSession.add(listener))
      const unsubscribe = () => {
        ofSession.delete(listener)
        if (ofSession.size > 0 || listeners.get(sessionId) !== ofSession) return
        listeners.delete(sessionId)
        broadcast?.unsubscribe(sessionId)
      }
      try {
        await broadcast?.subscribe(sessionId)
      } catch (error) {
        unsubscribe()
        throw error
      }
      // A stream that is opened on a node whose streams move would keep the node from ending.
      if (isStopping) setImmediate(() => ofSession.has(listener) && listener({ stopping: true }))
      return unsubscribe
    },
  }
}

// Tells open event streams that something happened in their EHR session, on this node at once and,
// where several share a database, on the others by post. Costs nothing when nobody watches. Knows
// sessions and launches by identifier only; the stream reads the rest itself.
import type { PostedNews, SessionBroadcast } from './session-broadcast.ts'

export type SessionNews =
  /** The node stops: the stream ends without a word, and the host asks again elsewhere. */
  | { readonly stopping: true }
  /** Something may have been missed: look whether the session still lives. */
  | { readonly missed: true }
  | { readonly launchId: string }
  | { readonly ended: 'signed_out' | 'session_ended' }
type Listener = (news: SessionNews) => void

export interface SessionSubscriptions {
  /** Resolves to the end of watching, when no news from any node can be missed any more. */
  watch(sessionId: string, listener: Listener): Promise<() => void>
  /** Resolves when every node that watches the session has been told or written to. */
  notify(sessionId: string, news: Exclude<SessionNews, { stopping: true }>): Promise<void>
  /** Fetches what other nodes have told. @throws DatabaseUnavailable */
  hear(): Promise<void>
  /** Tells every stream of this node to end. */
  stop(): void
}

export function sessionSubscriptions(post: SessionBroadcast | undefined): SessionSubscriptions {
  const listeners = new Map<string, Set<Listener>>()
  let hasMissed = false

  const tell = (sessionId: string, news: SessionNews) => {
    for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(news)
  }
  const tellAll = (news: SessionNews) => {
    for (const sessionId of [...listeners.keys()]) tell(sessionId, news)
  }
  return {
    async notify(sessionId, news) {
      tell(sessionId, news)
      await post?.send({ sessionId, launchId: undefined, ended: undefined, ...news } as PostedNews)
    },
    async hear() {
      try {
        for (const { sessionId, launchId, ended } of (await post?.fetch()) ?? []) {
          if (ended) tell(sessionId, { ended })
          else if (launchId) tell(sessionId, { launchId })
        }
      } catch (error) {
        // What was taken out of the letter box may be lost with the connection.
        hasMissed = true
        throw error
      }
      if (hasMissed) tellAll({ missed: true })
      hasMissed = false
    },
    stop: () => tellAll({ stopping: true }),
    async watch(sessionId, listener) {
      const ofSession = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, ofSession.add(listener))
      const unwatch = () => {
        ofSession.delete(listener)
        if (ofSession.size > 0 || listeners.get(sessionId) !== ofSession) return
        listeners.delete(sessionId)
        post?.close(sessionId)
      }
      try {
        if (ofSession.size === 1) await post?.open(sessionId)
      } catch (error) {
        unwatch()
        throw error
      }
      return unwatch
    },
  }
}

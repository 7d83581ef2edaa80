// Tells open event streams that something happened in their EHR session. Costs nothing when nobody
// watches. Knows sessions and launches by identifier only; the stream reads the rest itself.

export type SessionNews =
  /** The node stops: the stream ends without a word, and the host asks again elsewhere. */
  | { readonly stopping: true }
  | { readonly launchId: string }
  | { readonly ended: 'signed_out' | 'session_ended' }
type Listener = (news: SessionNews) => void

export interface SessionWatchers {
  watch(sessionId: string, listener: Listener): () => void
  notify(sessionId: string, news: SessionNews): void
  /** Tells every stream of this node to end. */
  stop(): void
}

export function sessionWatchers(): SessionWatchers {
  const listeners = new Map<string, Set<Listener>>()
  const notify: SessionWatchers['notify'] = (sessionId, news) => {
    for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(news)
  }
  return {
    notify,
    stop() {
      for (const sessionId of [...listeners.keys()]) notify(sessionId, { stopping: true })
    },
    watch(sessionId, listener) {
      const ofSession = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, ofSession.add(listener))
      return () => {
        ofSession.delete(listener)
        if (ofSession.size === 0 && listeners.get(sessionId) === ofSession) {
          listeners.delete(sessionId)
        }
      }
    },
  }
}

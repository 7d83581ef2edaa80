// Tells open event streams that something happened in their EHR session. Costs nothing when nobody
// watches. Knows sessions and launches by identifier only; the stream reads the rest itself.

export type SessionNews =
  | { readonly launchId: string }
  | { readonly ended: 'signed_out' | 'session_ended' }
type Listener = (news: SessionNews) => void

export interface SessionWatchers {
  watch(sessionId: string, listener: Listener): () => void
  notify(sessionId: string, news: SessionNews): void
}

export function sessionWatchers(): SessionWatchers {
  const listeners = new Map<string, Set<Listener>>()
  return {
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
    notify(sessionId, news) {
      for (const listener of [...(listeners.get(sessionId) ?? [])]) listener(news)
    },
  }
}

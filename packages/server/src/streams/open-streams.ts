// Bounds the event streams that this node holds open, for each session and each user: every stream costs
// memory and work with each change, and a user can open any number of them. Security V03.
import { RequestRefused } from '../http/admission/request-refused.ts'

/** The limits of contract §9. A host holds one stream of a session; a reload can leave one behind for a moment. */
export const MAX_STREAMS = { ofSession: 8, ofUser: 64 } as const
const RETRY_AFTER_MS = 15_000

export interface OpenStreams {
  /** Counts one more. Returns the function that counts it off. @throws RequestRefused */
  open(sessionId: string, userId: string): () => void
  count(): number
}

export interface HasOpenStreams {
  /** The event streams that this node holds. */
  readonly streams: OpenStreams
}

export function openStreams(): OpenStreams {
  const counts = new Map<string, number>()
  const add = (id: string, change: 1 | -1) => {
    const count = (counts.get(id) ?? 0) + change
    if (count > 0) counts.set(id, count)
    else counts.delete(id)
  }
  let all = 0
  return {
    count: () => all,
    open(sessionId, userId) {
      const isTooMany =
        (counts.get(sessionId) ?? 0) >= MAX_STREAMS.ofSession ||
        (counts.get(userId) ?? 0) >= MAX_STREAMS.ofUser
      if (isTooMany) {
        throw RequestRefused.forRate(
          'Too many event streams are open for this session, or for you. Close some of them.',
          RETRY_AFTER_MS,
        )
      }
      add(sessionId, 1)
      add(userId, 1)
      all += 1
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        all -= 1
        add(sessionId, -1)
        add(userId, -1)
      }
    },
  }
}

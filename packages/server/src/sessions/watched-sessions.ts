// The EHR sessions of the event streams that this node holds, read again while they are open: at each tick
// one query asks for all of them, and streams that ask at another moment share one too. So the cost of a
// tick does not grow with the streams of a session. Decides nothing; the stream does.
import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/randomness.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { FoundSession } from './session.ts'
import { findSessions } from './session-store.ts'

/** Keeps proxies from closing an idle stream, too. */
const TICK_MS = 15_000
/** Engines bound the parameters of a statement. */
const MAX_IN_QUERY = 500

export interface WatchedSessions {
  /** The session as it is now. @throws DatabaseUnavailable */
  find(id: string): Promise<FoundSession | undefined>
  /** Calls back at each tick. Returns the function that stops this. */
  watch(onTick: () => void): () => void
}

export interface HasWatchedSessions {
  readonly watchedSessions: WatchedSessions
}

export function watchedSessions(
  db: Database,
  clock: Clock,
  { sessionIdleSeconds }: { readonly sessionIdleSeconds: number },
  tickMs = TICK_MS,
): WatchedSessions {
  const watching = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let batch:
    | { readonly ids: Set<string>; readonly found: Promise<Map<string, FoundSession>> }
    | undefined

  async function load(ids: ReadonlySet<string>): Promise<Map<string, FoundSession>> {
    // What asks in the same turn of the event loop joins the batch.
    await new Promise((resolve) => setImmediate(resolve))
    batch = undefined
    const found = new Map<string, FoundSession>()
    const all = [...ids]
    for (let from = 0; from < all.length; from += MAX_IN_QUERY) {
      const cutoff = livenessCutoff(clock(), sessionIdleSeconds)
      const some = all.slice(from, from + MAX_IN_QUERY)
      for (const session of await findSessions(db, some, cutoff)) found.set(session.id, session)
    }
    return found
  }
  return {
    async find(id) {
      if (!batch) {
        const ids = new Set<string>()
        batch = { ids, found: load(ids) }
      }
      batch.ids.add(id)
      return (await batch.found).get(id)
    },
    watch(onTick) {
      watching.add(onTick)
      timer ??= setInterval(() => {
        for (const one of watching) one()
      }, tickMs).unref()
      return () => {
        watching.delete(onTick)
        if (watching.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

// What the open event streams of this node read again and again: their EHR sessions and their readers, for
// a sign-in may end and a role may change under a stream. Streams that ask at the same moment share one
// query, so the cost of a tick does not grow with the streams. Decides nothing. docs/operate/scaling.md, security V04.
import type { HasConfig } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/randomness.ts'
import type { Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { FoundSession } from '../sessions/session.ts'
import { findSessions } from '../sessions/session-store.ts'
import { findReaders } from '../sign-in/sign-in-store.ts'

/** The tick also keeps proxies from closing an idle stream. */
const TICK_MS = 15_000
/** Engines bound the parameters of a statement. */
const MAX_IN_QUERY = 500

export interface BatchedLookup<Found> {
  /** The record as it is now; undefined when it has ended. @throws DatabaseUnavailable */
  find(id: string): Promise<Found | undefined>
  /** Calls back at each tick. Returns the function that stops this. */
  watch(onTick: () => void): () => void
}

export interface HasWatchedSessions {
  readonly watchedSessions: BatchedLookup<FoundSession>
}

export interface HasStreamSubscribers {
  /** The users who read the streams, by sign-in. */
  readonly streamSubscribers: BatchedLookup<Person>
}

type Lifetimes = Pick<HasConfig['config'], 'sessionIdleSeconds'>

export const watchedSessions = (
  db: Database,
  clock: Clock,
  { sessionIdleSeconds }: Lifetimes,
  tickMs = TICK_MS,
): BatchedLookup<FoundSession> =>
  batchedLookup(
    (ids) => findSessions(db, ids, livenessCutoff(clock(), sessionIdleSeconds)),
    ({ id }) => id,
    tickMs,
  )

export const streamSubscribers = (
  db: Database,
  clock: Clock,
  { sessionIdleSeconds }: Lifetimes,
): BatchedLookup<Person> =>
  batchedLookup(
    (ids) => findReaders(db, ids, livenessCutoff(clock(), sessionIdleSeconds)),
    ({ signInId }) => signInId,
    TICK_MS,
  )

function batchedLookup<Found>(
  findAll: (ids: readonly string[]) => Promise<readonly Found[]>,
  idOf: (found: Found) => string,
  tickMs: number,
): BatchedLookup<Found> {
  const watching = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let batch: { readonly ids: Set<string>; readonly found: Promise<Map<string, Found>> } | undefined

  async function load(ids: ReadonlySet<string>): Promise<Map<string, Found>> {
    // Streams that ask in the same iteration of the event loop join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    batch = undefined
    const found = new Map<string, Found>()
    const all = [...ids]
    for (let from = 0; from < all.length; from += MAX_IN_QUERY) {
      for (const one of await findAll(all.slice(from, from + MAX_IN_QUERY))) {
        found.set(idOf(one), one)
      }
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

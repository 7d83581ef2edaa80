// Who reads the open event streams of this node, asked again while they read: a sign-in may end and a role
// may change under a stream. Streams that ask at the same time share one query, and at each tick one query
// asks for all watched readers. Decides nothing; the stream does. Security V04.
import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/randomness.ts'
import type { Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import { findReaders } from './sign-in-store.ts'

const TICK_MS = 15_000
/** Engines bound the parameters of a statement. */
const MAX_IN_QUERY = 1000

type OnChecked = (reader: Person | undefined) => void

export interface StreamSubscribers {
  /** The user of a sign-in as they are now; undefined when it has ended. @throws DatabaseUnavailable */
  find(signInId: string): Promise<Person | undefined>
  /** `onChecked` gets the reader at each tick. Returns the function that stops this. */
  watch(signInId: string, onChecked: OnChecked): () => void
}

export interface HasStreamSubscribers {
  readonly streamSubscribers: StreamSubscribers
}

export function streamSubscribers(
  db: Database,
  clock: Clock,
  { sessionIdleSeconds }: { readonly sessionIdleSeconds: number },
  tickMs = TICK_MS,
): StreamSubscribers {
  const watched = new Map<OnChecked, string>()
  let timer: NodeJS.Timeout | undefined
  let batch: { readonly ids: Set<string>; readonly found: Promise<Map<string, Person>> } | undefined

  async function load(ids: ReadonlySet<string>): Promise<Map<string, Person>> {
    // What asks in the same turn of the event loop joins the batch.
    await new Promise((resolve) => setImmediate(resolve))
    batch = undefined
    const found = new Map<string, Person>()
    const all = [...ids]
    for (let from = 0; from < all.length; from += MAX_IN_QUERY) {
      const cutoff = livenessCutoff(clock(), sessionIdleSeconds)
      for (const person of await findReaders(db, all.slice(from, from + MAX_IN_QUERY), cutoff)) {
        found.set(person.signInId, person)
      }
    }
    return found
  }
  async function find(signInId: string): Promise<Person | undefined> {
    if (!batch) {
      const ids = new Set<string>()
      batch = { ids, found: load(ids) }
    }
    batch.ids.add(signInId)
    return (await batch.found).get(signInId)
  }
  const tick = () => {
    for (const [onChecked, signInId] of watched) {
      // Without the database a stream learns nothing new either, and asks before its next event.
      find(signInId).then(onChecked, () => {})
    }
  }
  return {
    find,
    watch(signInId, onChecked) {
      watched.set(onChecked, signInId)
      timer ??= setInterval(tick, tickMs).unref()
      return () => {
        watched.delete(onChecked)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

// The post between nodes on one database: what happens in an EHR session on one node reaches the event
// streams that other nodes hold, well within a second (contract §5). Letters leave in batches and
// are fetched a few times a second; a node that watches nothing asks for nothing. No LISTEN and no
// connection between nodes, so it works behind every pooler (docs/decisions/0013).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { Clock, Randomness } from '../kernel/randomness.ts'
import {
  claimNotifications,
  deleteForgotten,
  deleteWatch,
  insertNotificationStatement,
  insertWatch,
  type Letter,
  renewWatches,
} from './session-notification-store.ts'

export type PostedNews = Pick<Letter, 'sessionId' | 'launchId' | 'ended'>

export interface SessionBroadcast {
  /** This node holds a stream of the session. Resolves when other nodes know. */
  open(sessionId: string): Promise<void>
  close(sessionId: string): void
  /** Tells the other nodes. Resolves when it is written for all of them. */
  send(news: PostedNews): Promise<void>
  /** Gives what other nodes have told since the last time. @throws DatabaseUnavailable */
  fetch(): Promise<Letter[]>
  /** Prolongs the watches of this node, and clears up after nodes that died. */
  renew(): Promise<void>
}

export interface PostOptions {
  readonly db: Database
  readonly clock: Clock
  readonly randomness: Randomness
  /** Told of letters that could not be written; the streams notice an end by their next ping. */
  readonly onLost: (error: unknown) => void
}

export const POST = { fetchEveryMs: 300, renewEveryMs: 20_000 } as const
const GATHER_MS = 50
const WATCH_MS = 60_000
const MAX_IN_A_BATCH = 100

export function sessionBroadcast({ db, clock, randomness, onLost }: PostOptions): SessionBroadcast {
  const nodeId = newId('nod', clock(), randomness)
  const watched = new Set<string>()
  /** By session and launch, so that several steps of one launch travel as one letter. */
  let outbox = new Map<string, PostedNews>()
  let sending: Promise<void> | undefined

  async function flush(): Promise<void> {
    await sleep(GATHER_MS)
    sending = undefined
    const letters = [...outbox.values()]
    outbox = new Map()
    const now = clock()
    const statements = letters.map((news) =>
      insertNotificationStatement({ ...news, id: newId('evt', now, randomness) }, nodeId, now),
    )
    for (let at = 0; at < statements.length; at += MAX_IN_A_BATCH) {
      await db.write(...statements.slice(at, at + MAX_IN_A_BATCH)).catch(onLost)
    }
  }

  return {
    async open(sessionId) {
      watched.add(sessionId)
      await db.write(insertWatch(sessionId, nodeId, clock() + WATCH_MS))
    },
    close(sessionId) {
      watched.delete(sessionId)
      db.write(deleteWatch(sessionId, nodeId)).catch(onLost)
    },
    send(news) {
      outbox.set(`${news.sessionId} ${news.launchId ?? news.ended}`, news)
      sending ??= flush()
      return sending
    },
    fetch: async () => (watched.size === 0 ? [] : claimNotifications(db, nodeId)),
    async renew() {
      const now = clock()
      if (watched.size > 0) {
        const known = new Set(await renewWatches(db, nodeId, now + WATCH_MS))
        // A node that stood still for a minute was taken for dead.
        const missing = [...watched].filter((sessionId) => !known.has(sessionId))
        for (let at = 0; at < missing.length; at += MAX_IN_A_BATCH) {
          const some = missing.slice(at, at + MAX_IN_A_BATCH)
          await db.write(...some.map((id) => insertWatch(id, nodeId, now + WATCH_MS)))
        }
      }
      await deleteForgotten(db, now, now - WATCH_MS)
    },
  }
}

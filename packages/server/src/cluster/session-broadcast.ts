// Broadcasts what happens in an EHR session to the nodes that hold its event streams, through the
// database and well within a second (contract §5). Notifications are written in batches and polled a
// few times a second; a node without subscriptions does not poll. Uses no LISTEN and no connection
// between nodes, so it works behind every pooler (docs/inside/decisions/0013).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import { newId } from '../kernel/identifiers.ts'
import type { Clock, Randomness } from '../kernel/randomness.ts'
import {
  claimNotifications,
  deleteExpired,
  deleteSubscriptionStatement,
  insertNotificationStatement,
  insertSubscriptionStatement,
  listWatchedSessions,
  type StoredNotification,
  updateSubscriptionExpiry,
} from './session-notification-store.ts'

export type BroadcastNotification = Pick<StoredNotification, 'sessionId' | 'launchId' | 'ended'>

export interface SessionBroadcast {
  /** This node holds a stream of the session, or several. Resolves when other nodes can see that. */
  subscribe(sessionId: string): Promise<void>
  unsubscribe(sessionId: string): void
  /** Notifies the other nodes. Resolves when the notifications are written. */
  publish(notification: BroadcastNotification): Promise<void>
  /** Returns the notifications of other nodes since the last poll. @throws DatabaseUnavailable */
  poll(): Promise<StoredNotification[]>
  /** Extends the subscriptions of this node, and may delete those of nodes that no longer run. */
  renew(mayDelete?: boolean): Promise<void>
}

export interface HasBroadcast {
  /** The broadcast is present when several nodes can share the database; an embedded one has a single node. */
  readonly broadcast: SessionBroadcast | undefined
}

export interface BroadcastOptions {
  readonly db: Database
  readonly clock: Clock
  readonly randomness: Randomness
  /** The function is called when notifications could not be written; streams see an end at their next ping. */
  readonly onLost: (error: unknown) => void
}

export const POLLING = { everyMs: 300, renewEveryMs: 20_000 } as const
const BATCH_DELAY_MS = 50
const SUBSCRIPTION_MS = 60_000
const MAX_BATCH = 100

export function sessionBroadcast(options: BroadcastOptions): SessionBroadcast {
  const { db, clock, randomness, onLost } = options
  const nodeId = newId('nod', clock(), randomness)
  const subscribed = new Set<string>()
  const { change, changes } = orderedChanges(db)
  /** The notifications by session and launch, so that several steps of one launch become one notification. */
  let outbox = new Map<string, BroadcastNotification>()
  let sending: Promise<void> | undefined

  async function flush(): Promise<void> {
    await sleep(BATCH_DELAY_MS)
    sending = undefined
    const notifications = [...outbox.values()]
    outbox = new Map()
    for (let at = 0; at < notifications.length; at += MAX_BATCH) {
      await send(notifications.slice(at, at + MAX_BATCH)).catch(onLost)
    }
  }

  /** A stream that subscribes after the read loads its session afterwards, so it misses nothing. */
  async function send(notifications: readonly BroadcastNotification[]): Promise<void> {
    const now = clock()
    const sessionIds = [...new Set(notifications.map(({ sessionId }) => sessionId))]
    const watched = await listWatchedSessions(db, sessionIds, nodeId, now)
    const statements = notifications
      .filter(({ sessionId }) => watched.has(sessionId))
      .map((one) =>
        insertNotificationStatement({ ...one, id: newId('evt', now, randomness) }, nodeId, now),
      )
    if (statements.length > 0) await db.write(...statements)
  }

  return {
    subscribe(sessionId) {
      if (subscribed.has(sessionId)) return changes.get(sessionId) ?? Promise.resolve()
      subscribed.add(sessionId)
      return change(sessionId, () =>
        insertSubscriptionStatement(sessionId, nodeId, clock() + SUBSCRIPTION_MS),
      )
    },
    unsubscribe(sessionId) {
      subscribed.delete(sessionId)
      // A stream that closes and opens again at once keeps its subscription.
      change(sessionId, () =>
        subscribed.has(sessionId) ? undefined : deleteSubscriptionStatement(sessionId, nodeId),
      ).catch(onLost)
    },
    publish(notification) {
      const { sessionId, launchId, ended } = notification
      outbox.set(`${sessionId} ${launchId ?? ended}`, notification)
      sending ??= flush()
      return sending
    },
    poll: async () => (subscribed.size === 0 ? [] : claimNotifications(db, nodeId)),
    async renew(mayDelete = true) {
      const now = clock()
      const expiresAt = now + SUBSCRIPTION_MS
      if (subscribed.size > 0) {
        const known = new Set(await updateSubscriptionExpiry(db, nodeId, expiresAt))
        // Other nodes delete the subscriptions of a node that was suspended for a minute.
        const missing = [...subscribed].filter((sessionId) => !known.has(sessionId))
        for (let at = 0; at < missing.length; at += MAX_BATCH) {
          const batch = missing.slice(at, at + MAX_BATCH)
          await db.write(...batch.map((id) => insertSubscriptionStatement(id, nodeId, expiresAt)))
        }
      }
      if (mayDelete) await deleteExpired(db, now, now - SUBSCRIPTION_MS)
    },
  }
}

/** Writes the changes of one subscription in their order: two connections could run the next one before it. */
function orderedChanges(db: Database) {
  /** The last change of each session. */
  const changes = new Map<string, Promise<void>>()

  /** `decide` says what is to do after the changes before. */
  function change(sessionId: string, decide: () => Statement | undefined): Promise<void> {
    const earlier = changes.get(sessionId)?.catch(() => {}) ?? Promise.resolve()
    const changed = earlier.then(async () => {
      const statement = decide()
      if (statement) await db.write(statement)
    })
    changes.set(sessionId, changed)
    const forget = () => {
      if (changes.get(sessionId) === changed) changes.delete(sessionId)
    }
    changed.then(forget, forget)
    return changed
  }
  return { change, changes }
}

// The cache of apps and their client secrets. A change on this node applies at once, a change on
// another node within one second (cluster/cache-versions.ts). Authorize and token find their client
// here without a statement. Decides nothing. Contract §2 (secrets retired at once).
import type { CacheVersions } from '../cluster/cache-versions.ts'
import type { Database } from '../db/database.ts'
import { type LruMap, lruMap } from '../kernel/lru-map.ts'
import type { App } from './app.ts'
import { findApp, findAppByClientId } from './app-store.ts'
import type { ClientSecret } from './client-secret.ts'
import { listClientSecrets } from './client-secret-store.ts'

export interface Client {
  readonly app: App
  readonly secrets: readonly ClientSecret[]
}

export interface AppDirectory {
  findClient(clientId: string): Promise<Client | undefined>
  findApp(id: string): Promise<App | undefined>
  /** Empties the cache after a change on this node. */
  forget(): void
  /** Whether to store the use of a secret now: at most once a minute for each secret. */
  shouldRecordUse(secretId: string, now: number): boolean
}

export interface HasApps {
  readonly apps: AppDirectory
}

/** A text of another form is not looked up. */
const CLIENT_ID = /^cli_[0-9a-f]{32}$/
const RECORD_USE_INTERVAL_MS = 60_000
/** The number of entries of each kind that are kept, about 2 KB each; of more, those that were used most recently. */
const MAX_APPS = 10_000

export function appDirectory(db: Database, versions: CacheVersions): AppDirectory {
  const clients = lruMap<Client>(MAX_APPS)
  const apps = lruMap<App>(MAX_APPS)
  const recordedUses = lruMap<number>(MAX_APPS)
  let generation = 0

  function forget(): void {
    generation += 1
    clients.clear()
    apps.clear()
  }

  versions.listen('apps', forget)

  /** A record that changed while it was loaded is not cached: its generation has passed. */
  async function findCached<T>(
    cache: LruMap<T>,
    key: string,
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    await versions.check()
    const cached = cache.get(key)
    if (cached) return cached
    const before = generation
    const loaded = await load()
    if (loaded && before === generation) cache.set(key, loaded)
    return loaded
  }

  return {
    forget,
    findApp: (id) => findCached(apps, id, () => findApp(db, id)),
    findClient: async (clientId) => {
      if (!CLIENT_ID.test(clientId)) return undefined
      return findCached(clients, clientId, async () => {
        const app = await findAppByClientId(db, clientId)
        return app && { app, secrets: await listClientSecrets(db, app.id) }
      })
    },
    shouldRecordUse(secretId, now) {
      const isDue = now - (recordedUses.get(secretId) ?? 0) >= RECORD_USE_INTERVAL_MS
      if (isDue) recordedUses.set(secretId, now)
      return isDue
    },
  }
}

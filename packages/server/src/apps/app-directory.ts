// Apps and their live secrets in memory, exact: a change made on this node counts at once, one made
// on another node within a second (cluster/cache-versions.ts). The hot path finds its client here without a
// statement.
// Owns the copy; decides nothing. Contract §2 (secrets retired at once), interop 5.
import type { CacheVersions } from '../cluster/cache-versions.ts'
import type { Database } from '../db/database.ts'
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
  /** After a change on this node. */
  forget(): void
  /** Whether the use of a secret is worth writing down now: at most once a minute each. */
  shouldRecordUse(secretId: string, now: number): boolean
}

/** What is no client ID at all needs no look-up. */
const CLIENT_ID = /^cli_[0-9a-f]{32}$/
const NOTE_USE_EVERY_MS = 60_000
/** Beyond this the copy starts anew; a node serves far fewer apps than this at a time. */
const MAX_APPS = 5000

export function appDirectory(db: Database, changes: CacheVersions): AppDirectory {
  const clients = new Map<string, Client>()
  const apps = new Map<string, App>()
  const notedUses = new Map<string, number>()
  let generation = 0

  function forget(): void {
    generation += 1
    clients.clear()
    apps.clear()
  }

  changes.listen('apps', forget)

  /** What is loaded while somebody changes it must not stay: only the same generation is kept. */
  async function known<T>(
    copy: Map<string, T>,
    key: string,
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    await changes.check()
    const kept = copy.get(key)
    if (kept) return kept
    const before = generation
    const loaded = await load()
    if (loaded && before === generation) {
      if (copy.size >= MAX_APPS) copy.clear()
      copy.set(key, loaded)
    }
    return loaded
  }

  return {
    forget,
    findApp: (id) => known(apps, id, () => findApp(db, id)),
    findClient: async (clientId) => {
      if (!CLIENT_ID.test(clientId)) return undefined
      return known(clients, clientId, async () => {
        const app = await findAppByClientId(db, clientId)
        return app && { app, secrets: await listClientSecrets(db, app.id) }
      })
    },
    shouldRecordUse(secretId, now) {
      const isDue = now - (notedUses.get(secretId) ?? 0) >= NOTE_USE_EVERY_MS
      if (isDue) {
        if (notedUses.size >= MAX_APPS) notedUses.clear()
        notedUses.set(secretId, now)
      }
      return isDue
    },
  }
}

// A document that the service publishes (keys, metadata, SDK manifest), fetched on demand and
// cached. Concurrent callers share one fetch, a cooldown separates attempts, and the cached
// document is served while the service is down. Security R04.

export interface CachedDocument<T> {
  /** The cached document; fetched again when it is too old. Rejects only when nothing is cached. */
  get(): Promise<T>
  /** A newer one when the cooldown is over, else the cached one. */
  renew(): Promise<T>
}

export interface CacheRules {
  readonly maxAgeMs: number
  /** The minimum time between two attempts while a document is cached. */
  readonly cooldownMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export function createCachedDocument<T extends object>(
  load: () => Promise<T>,
  { maxAgeMs, cooldownMs, now }: CacheRules,
): CachedDocument<T> {
  let cached: T | undefined
  let loadedAt = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<T> | undefined

  const reload = (): Promise<T> => {
    // Workers forbid waiting for a promise of another request.
    if (pending && !isWorker()) return pending
    triedAt = now()
    const attempt: Promise<T> = load()
      .then((document) => {
        loadedAt = now()
        cached = document
        return document
      })
      .finally(() => {
        if (pending === attempt) pending = undefined
      })
    pending = attempt
    return attempt
  }

  const renew = async (): Promise<T> => {
    if (cached && !pending && now() - triedAt < cooldownMs) return cached
    try {
      return await reload()
    } catch (error) {
      if (cached) return cached
      throw error
    }
  }

  return {
    get: async () => (cached && now() - loadedAt < maxAgeMs ? cached : renew()),
    renew,
  }
}

const isWorker = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers'

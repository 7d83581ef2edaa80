// Something the service publishes (keys, metadata, SDK manifest), fetched when it is needed and kept.
// Everybody who waits shares one fetch, attempts keep their distance, and what is known goes on
// being used while the service is down. Security R04.

export interface CachedDocument<T> {
  /** What is known; fetched again once it is older than its age. Rejects only when nothing is known. */
  get(): Promise<T>
  /** A newer one when the last attempt is long enough ago, else what is known. */
  renew(): Promise<T>
}

export interface CacheRules {
  readonly maxAgeMs: number
  /** The least time between two attempts while something is known. */
  readonly cooldownMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export function createCachedDocument<T extends object>(
  load: () => Promise<T>,
  { maxAgeMs, cooldownMs, now }: CacheRules,
): CachedDocument<T> {
  let known: T | undefined
  let loadedAt = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<T> | undefined

  const reload = (): Promise<T> => {
    // Workers forbid waiting for what another request has begun.
    if (pending && !isWorker()) return pending
    triedAt = now()
    const attempt: Promise<T> = load()
      .then((document) => {
        loadedAt = now()
        known = document
        return document
      })
      .finally(() => {
        if (pending === attempt) pending = undefined
      })
    pending = attempt
    return attempt
  }

  const renew = async (): Promise<T> => {
    if (known && !pending && now() - triedAt < cooldownMs) return known
    try {
      return await reload()
    } catch (error) {
      if (known) return known
      throw error
    }
  }

  return {
    get: async () => (known && now() - loadedAt < maxAgeMs ? known : renew()),
    renew,
  }
}

const isWorker = () => globalThis.navigator?.userAgent === 'Cloudflare-Workers'

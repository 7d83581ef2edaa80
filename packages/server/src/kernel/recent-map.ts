// A map of bounded size that keeps what was used most recently. A full one forgets the entry that was used
// longest ago, so that a little more than fits costs a little, and not everything.

export interface RecentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  clear(): void
}

export function recentMap<Value>(maxSize: number): RecentMap<Value> {
  // A Map lists its keys in the order of their insertion.
  const entries = new Map<string, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      if (entries.size >= maxSize) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest)
          break
        }
      }
      entries.set(key, value)
    },
    clear: () => entries.clear(),
  }
}

// A map of bounded size that keeps what was used most recently, and a memory of a pure function on it. A full
// map forgets the entry that was used longest ago, so that a little more than fits costs a little, and not
// everything.

export interface LruMap<Value> {
  get(key: string): Value | undefined
  has(key: string): boolean
  set(key: string, value: Value): void
  clear(): void
}

export function lruMap<Value>(maxSize: number): LruMap<Value> {
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
    has: (key) => entries.has(key),
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

const MAX_MEMOIZED = 10_000
const MAX_TEXT = 128

/** Keeps the answers of a pure function to recent texts; a long text, which a caller chooses, is not kept. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const answers = lruMap<T>(MAX_MEMOIZED)
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined || answers.has(text)) return known as T
    const answer = compute(text)
    if (text.length <= MAX_TEXT) answers.set(text, answer)
    return answer
  }
}

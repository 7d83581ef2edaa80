// A map of bounded size that keeps what was used recently, and a memory of a pure function on it. A full map
// forgets the oldest entry that was not used since it was last looked at, so that a little more than fits
// costs a little, and not everything. The algorithm is known as second chance, or clock.

export interface LruMap<Value> {
  get(key: string): Value | undefined
  has(key: string): boolean
  set(key: string, value: Value): void
  clear(): void
}

interface Entry<Value> {
  readonly value: Value
  isUsed: boolean
}

export function lruMap<Value>(maxSize: number): LruMap<Value> {
  // A Map lists its keys in the order of their insertion. Each use would be two changes of it in exact order of
  // use; here it is a mark, because a request uses a dozen entries.
  const entries = new Map<string, Entry<Value>>()
  // Kept, because a new iterator passes all that was removed before it.
  let hand = entries.entries()
  const forgetOne = () => {
    for (;;) {
      const next = hand.next()
      if (next.done) {
        hand = entries.entries()
        continue
      }
      const [key, entry] = next.value
      entries.delete(key)
      if (!entry.isUsed) return
      entry.isUsed = false
      entries.set(key, entry)
    }
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entry.isUsed = true
      return entry.value
    },
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key)
      if (entries.size >= maxSize) forgetOne()
      entries.set(key, { value, isUsed: false })
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

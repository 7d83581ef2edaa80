// Counts, in the memory of one node, what each caller has had in this minute: the log lines of refused
// requests, and bodies that are read without a sign-in. It costs a look-up in a map, so a flood costs
// little. Limits that all nodes share are in rate-limits.ts. Security V01, V05.

export interface MinuteCounter {
  /**
   * Whether one more is allowed, and how many of this key were suppressed since the last allowed one.
   * @param max in a minute
   */
  allow(
    key: string,
    now: number,
    max: number,
  ): { readonly isAllowed: boolean; readonly suppressed: number }
  /** One that was allowed has not happened: the next one counts in its place. */
  takeBack(key: string): void
}

export interface HasRefusalCounter {
  /** Counts the log lines of refused requests. */
  readonly refusals: MinuteCounter
}

const WINDOW_MS = 60_000
/** All keys begin a new minute when there are more than this. */
const MAX_KEYS = 10_000

interface Window {
  endsAt: number
  count: number
  suppressed: number
}

export function minuteCounter(): MinuteCounter {
  const windows = new Map<string, Window>()
  return {
    allow(key, now, max) {
      let window = windows.get(key)
      if (!window || window.endsAt <= now || window.endsAt > now + WINDOW_MS) {
        if (windows.size >= MAX_KEYS) windows.clear()
        window = { endsAt: now + WINDOW_MS, count: 0, suppressed: window?.suppressed ?? 0 }
        windows.set(key, window)
      }
      if (window.count >= max) {
        window.suppressed += 1
        return { isAllowed: false, suppressed: window.suppressed }
      }
      const { suppressed } = window
      window.count += 1
      window.suppressed = 0
      return { isAllowed: true, suppressed }
    },
    takeBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
  }
}

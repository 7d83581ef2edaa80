// Counts, in the memory of one node, what each caller has had in this minute: the log lines of refused
// requests, and bodies that are read without a sign-in. It costs a look-up in a map, so a flood costs
// little. Limits that all nodes share are in rate-limits.ts. Security V01, V05.

export interface MinuteCounter {
  /**
   * Whether one more is admitted, and how many of this key were not since the last one that was.
   * @param max in a minute
   */
  admit(
    key: string,
    now: number,
    max: number,
  ): { readonly isAdmitted: boolean; readonly leftOut: number }
  /** One that was admitted has not happened: the next one counts in its place. */
  takeBack(key: string): void
}

export interface HasRefusalCounter {
  /** Counts the log lines of refused requests. */
  readonly refusals: MinuteCounter
}

const WINDOW_MS = 60_000
/** Beyond this many keys all of them begin a new minute. */
const MAX_KEYS = 10_000

interface Window {
  endsAt: number
  count: number
  leftOut: number
}

export function minuteCounter(): MinuteCounter {
  const windows = new Map<string, Window>()
  return {
    admit(key, now, max) {
      let window = windows.get(key)
      if (!window || window.endsAt <= now || window.endsAt > now + WINDOW_MS) {
        if (windows.size >= MAX_KEYS) windows.clear()
        window = { endsAt: now + WINDOW_MS, count: 0, leftOut: window?.leftOut ?? 0 }
        windows.set(key, window)
      }
      if (window.count >= max) {
        window.leftOut += 1
        return { isAdmitted: false, leftOut: window.leftOut }
      }
      const { leftOut } = window
      window.count += 1
      window.leftOut = 0
      return { isAdmitted: true, leftOut }
    },
    takeBack(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
  }
}

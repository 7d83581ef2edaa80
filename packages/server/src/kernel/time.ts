// Times of records: how the backend API shows them, and how `updatedAt` advances. Pure; the clock is
// an argument.

/** Formats milliseconds as the backend API shows times: RFC 3339. */
export const rfc3339 = (milliseconds: number) => new Date(milliseconds).toISOString()

const RFC3339 = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** Returns the milliseconds of an RFC 3339 time with its zone; undefined for other text and days like 30 February. */
export function parseRfc3339(text: string): number | undefined {
  const day = RFC3339.exec(text)?.[1]
  const at = Date.parse(text)
  // Date.parse takes a day that the month does not have for one of the next month.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day)
  return isDay && !Number.isNaN(at) ? at : undefined
}

/** The next `updatedAt` of a record: now, and always later than the last one. */
export const nextUpdate = ({ updatedAt }: { readonly updatedAt: number }, now: number) =>
  Math.max(now, updatedAt + 1)

const USE_INTERVAL_MS = 60_000

/** Whether a use of a key is recorded: the last one is shown, and recording each would cost a write each. */
export const isUseRecorded = (lastUsedAt: number | undefined, now: number): boolean =>
  (lastUsedAt ?? 0) <= now - USE_INTERVAL_MS

// Times of records: how the backend API shows them, and how `updatedAt` advances. Pure; the clock is
// an argument.

/** Milliseconds as the backend API shows times: RFC 3339. */
export const rfc3339 = (milliseconds: number) => new Date(milliseconds).toISOString()

/** The next `updatedAt` of a record: now, and always later than the last one. */
export const nextUpdate = ({ updatedAt }: { readonly updatedAt: number }, now: number) =>
  Math.max(now, updatedAt + 1)

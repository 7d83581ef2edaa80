// The rules of the outbox, for notices of every kind to the servers of apps and vendors: how long an answer may
// take, when the next attempt is, and which part of an answer is kept. Pure. Contract §12.

export const ANSWER_MS = 5_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The waits after the first attempt and each further one; after the last the notice is given up. */
export const RETRY_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
]

/** The answer that came back: a status, or why there was none. */
export interface NoticeAnswer {
  readonly status: number | undefined
  /** The first characters of the body, or the problem of the connection. */
  readonly answer: string
}

/**
 * Returns the milliseconds until the next attempt, up to a fifth more or less: the notices of an hour do not
 * come back together.
 * @param share from 0 to 1, random
 */
export const decideRetryMs = (attempts: number, share: number): number =>
  Math.round((RETRY_MS[attempts] ?? 0) * (0.8 + 0.4 * share))

const MAX_ANSWER = 300

/** Cuts the text of a foreign server: printable, and without what looks like a token. */
export const cutAnswer = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/[\w-]{20,}\.[\w-]{20,}(\.[\w-]*)?/g, '[token]')
    .trim()
    .slice(0, MAX_ANSWER)

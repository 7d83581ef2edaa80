// Turns what was thrown in a page into what a person can act on: the words of the app's own server when
// an error brings them along, or those of the error. Owns no wording but the last resort. Spec §7.
import type { ProblemView } from '../problem.ts'

const LAUNCH_AGAIN = 'Launch the app again from the panel.'

/** @param fallback the code of an error that has none */
export function describe(thrown: unknown, fallback = 'unexpected_error'): ProblemView {
  const { code = fallback, fix = LAUNCH_AGAIN, traceId } = (thrown ?? {}) as Telling
  const cause = thrown instanceof Error ? thrown.message : 'Something unexpected happened.'
  return { error: String(code), cause, fix, ...(traceId ? { trace_id: traceId } : {}) }
}

/** What the app's own server answered, as the app kit's error keeps it. */
export function findAnswer(thrown: unknown): ProblemView | undefined {
  const { body } = (thrown ?? {}) as Telling
  return body?.error && body.cause ? body : undefined
}

interface Telling {
  /** A number in what the browser itself throws. */
  readonly code?: string | number
  readonly fix?: string
  readonly traceId?: string | undefined
  readonly body?: ProblemView | null
}

// Turns a thrown value into an error that the page shows: the server's own error response when
// there is one, otherwise the error of the kit or of the SDK. Spec §7.
import type { ProblemView } from '../problem.ts'

const LAUNCH_AGAIN = 'Launch the app again from the panel.'

/** The fields that the errors of the kit and of the SDK have; `body` is the server's response. */
interface ErrorFields {
  /** A number in a DOMException. */
  readonly code?: string | number
  readonly oauthError?: string | undefined
  /** A sentence in an error of the SDK, another error elsewhere. */
  readonly cause?: unknown
  readonly fix?: string
  readonly traceId?: string | undefined
  readonly body?: Partial<ProblemView> | null
}

export function describe(thrown: unknown): ProblemView {
  const {
    code = 'unexpected_error',
    oauthError,
    cause,
    fix,
    traceId,
    body,
  } = (thrown ?? {}) as ErrorFields
  if (isProblemView(body)) return body
  return {
    error: oauthError ?? String(code),
    cause: typeof cause === 'string' ? cause : messageOf(thrown),
    fix: fix ?? LAUNCH_AGAIN,
    ...(traceId ? { trace_id: traceId } : {}),
  }
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : 'An unexpected error occurred.'

const isProblemView = (body: ErrorFields['body']): body is ProblemView =>
  Boolean(body?.error && body.cause)

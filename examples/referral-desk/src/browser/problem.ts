// Turns a thrown value into an error that the page shows: the server's own error response when
// there is one, otherwise the error of the kit or of the SDK. Spec §7.
import type { ProblemView } from '../problem.ts'

const LAUNCH_AGAIN = 'Launch the app again from the panel.'
const SDK_FIXES: Readonly<Record<string, string>> = {
  HOST_NOT_FOUND: 'Open the app from the panel beside the chart, not in a tab of its own.',
  HANDSHAKE_TIMEOUT: 'Check that the origin of this app is registered, then launch it again.',
  PROTOCOL_MISMATCH: 'Update the extension, or this app, so that both speak the same version.',
}

/** The fields that the errors of the kit and of the SDK have; `body` is the server's response. */
interface ErrorFields {
  /** A number in a DOMException. */
  readonly code?: string | number
  readonly oauthError?: string | undefined
  readonly fix?: string
  readonly traceId?: string | undefined
  readonly body?: Partial<ProblemView> | null
}

export function describe(thrown: unknown): ProblemView {
  const {
    code = 'unexpected_error',
    oauthError,
    fix,
    traceId,
    body,
  } = (thrown ?? {}) as ErrorFields
  if (isProblemView(body)) return body
  return {
    error: oauthError ?? String(code),
    cause: thrown instanceof Error ? thrown.message : 'An unexpected error occurred.',
    fix: fix ?? SDK_FIXES[code] ?? LAUNCH_AGAIN,
    ...(traceId ? { trace_id: traceId } : {}),
  }
}

const isProblemView = (body: ErrorFields['body']): body is ProblemView =>
  Boolean(body?.error && body.cause)

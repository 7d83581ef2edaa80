// What went wrong, in two registers: one sentence for the provider, and code, cause, fix and trace id
// for support. Evidence is taken from the server's own error response, else from the error of the kit
// or of the SDK, which name their fix themselves. Spec §7.
import type { ProblemView } from '../../server/problem.ts'

export interface PageProblem extends ProblemView {
  /** The advice for the provider: what to do now. */
  readonly advice: string
}

/** The fields that the errors of the kit and of the SDK have; `body` is the server's response. */
interface ErrorFields {
  /** A number in a DOMException. */
  readonly code?: string | number
  readonly oauthError?: string | undefined
  /** The exact cause, beside a message that the specification fixes. */
  readonly detail?: string | undefined
  /** A sentence in an error of the SDK, another error elsewhere. */
  readonly cause?: unknown
  readonly fix?: string
  readonly traceId?: string | undefined
  readonly body?: Partial<ProblemView> | null
}

/**
 * Returns what to show for anything that was thrown: the evidence of the server's error response, else of the
 * error of the kit or the SDK, and one sentence for the provider. Never throws. Spec §7.
 * @example const { advice, error, cause, fix, trace_id } = describeProblem(thrown)
 */
export function describeProblem(thrown: unknown): PageProblem {
  const evidence = readEvidence(thrown)
  return { ...evidence, advice: ADVICE[evidence.error] ?? AGAIN }
}

function readEvidence(thrown: unknown): ProblemView {
  const fields = (thrown ?? {}) as ErrorFields
  const { code = 'unexpected_error', oauthError, detail, cause, fix, traceId, body } = fields
  if (isProblemView(body)) return body
  // No error of the kit, the SDK or the server: the console shows its place in the code.
  if (fix === undefined) console.error(thrown)
  const message = typeof cause === 'string' ? cause : messageOf(thrown)
  return {
    error: oauthError ?? String(code),
    cause: detail ? `${message}: ${detail}` : message,
    fix: fix ?? 'Look at the console of the browser, which shows the place in the code of the app.',
    ...(traceId ? { trace_id: traceId } : {}),
  }
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : 'An unexpected error occurred.'

const isProblemView = (body: ErrorFields['body']): body is ProblemView =>
  Boolean(body?.error && body.cause)

const AGAIN =
  'Launch it again from the panel. If it happens again, ask for support and pass on what is below.'
const WAIT =
  'It cannot be reached at the moment. Wait a moment, then launch it again from the panel.'
const FROM_PANEL = 'It opens from the panel beside the chart, where it is launched for you.'

/** The advice by code. It says only what a provider can do: a wrong setting is for support. */
const ADVICE: Readonly<Record<string, string>> = {
  server_unreachable: WAIT,
  service_unreachable: WAIT,
  provider_unreachable: WAIT,
  temporarily_unavailable: WAIT,
  exchange_timeout: WAIT,
  missing_launch_id: FROM_PANEL,
  missing_oauth_parameters: FROM_PANEL,
  launch_not_begun: FROM_PANEL,
  ticket_missing: FROM_PANEL,
  login_required: 'Sign in again beside the chart, then launch it again from the panel.',
  session_ended: 'Your session has ended. Launch it again from the panel.',
  storage_unavailable:
    'The browser does not let it store what it needs here. Allow it in the settings of this site, then launch it again from the panel.',
}

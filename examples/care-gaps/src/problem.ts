// Error responses of this app: a stable code, the cause, the fix and the trace id that support asks
// for. Never contains a code, a token or a secret. Spec §7.

export interface ProblemView {
  /** Stable; in snake_case, or as the service or the SDK spells it. */
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

/** An error of the app's own code. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly fix: string

  constructor(status: number, { error, cause, fix }: ProblemView) {
    super(cause)
    this.status = status
    this.code = error
    this.fix = fix
  }
}

/** `Problem`, and the errors of the app kit. */
interface ExplainedError extends Error {
  /** Missing when a server behind this one failed. */
  readonly status?: number
  readonly code: string
  readonly fix: string
  /** The service's own code, on `exchange_refused`. */
  readonly error?: string
  readonly traceId?: string | undefined
}

const isExplained = (thrown: unknown): thrown is ExplainedError =>
  thrown instanceof Error && 'code' in thrown && 'fix' in thrown

/** Shows nothing of an unexpected error. */
export function explain(thrown: unknown): { status: number; problem: ProblemView } {
  if (isExplained(thrown)) {
    const { status = 502, code, message: cause, fix, traceId } = thrown
    const error = code === 'exchange_refused' ? (thrown.error ?? code) : code
    return { status, problem: { error, cause, fix, ...(traceId ? { trace_id: traceId } : {}) } }
  }
  const cause = 'The app failed with an internal error.'
  const fix = 'Look at the terminal in which it runs.'
  return { status: 500, problem: { error: 'internal_server_error', cause, fix } }
}

// What a sample app's server tells its page when something fails: a stable code, the cause, the fix and
// the trace id that support asks for. Never carries a code, a token or a secret. Spec §7.

export interface ProblemView {
  /** Stable, in snake_case or as the service or the SDK spells it. */
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

/** A failure that the app's own code names. */
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

export interface Explained {
  readonly status: number
  readonly problem: ProblemView
}

/**
 * An error that brings code and fix along, as a Problem and the errors of the app kit do, is passed on,
 * with 502 when it names no status. What a framework refuses of a request, such as a body that is too
 * large, is the sender's to mend. Of any other nothing is shown.
 */
export function explain(thrown: unknown, title: string): Explained {
  const { status = 502, code, fix, traceId } = (thrown ?? {}) as Partial<Problem & WithTrace>
  const refusal = explainRefusal(thrown)
  if (refusal) return refusal
  if (thrown instanceof Error && code && fix) {
    const trace = traceId ? { trace_id: traceId } : {}
    return { status, problem: { error: code, cause: thrown.message, fix, ...trace } }
  }
  return {
    status: 500,
    problem: {
      error: 'internal_server_error',
      cause: `${title} met a mistake of its own.`,
      fix: 'Look at the terminal in which it runs.',
    },
  }
}

interface WithTrace {
  readonly traceId: string | undefined
}

/** Express and Fastify put the status of a request that they refuse on the error. */
function explainRefusal(thrown: unknown): Explained | undefined {
  const { statusCode: status = 500, type } = (thrown ?? {}) as Partial<FrameworkError>
  if (!(thrown instanceof Error) || !(status >= 400 && status < 500)) return undefined
  // The parser's own words quote the body.
  const cause = type === 'entity.parse.failed' ? 'The request body is not JSON.' : thrown.message
  return { status, problem: { error: 'invalid_request', cause, fix: 'Send a small JSON object.' } }
}

interface FrameworkError {
  readonly statusCode: number
  /** Of Express's body parser. */
  readonly type: string
}

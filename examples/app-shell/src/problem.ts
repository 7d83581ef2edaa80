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
 * with 502 when it names no status. Of any other nothing is shown.
 */
export function explain(thrown: unknown, title: string): Explained {
  const { status = 502, code, fix, traceId } = (thrown ?? {}) as Partial<Problem & WithTrace>
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

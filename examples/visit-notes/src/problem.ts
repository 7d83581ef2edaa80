// What this app tells its own page when something fails: a stable code, the cause, the fix and the
// trace id that support asks for. Never carries a code, a token or a secret. Spec §7.
import { ExchangeError, IdTokenError } from '@chartside/app-kit/server'

export interface ProblemView {
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

export class Problem extends Error {
  readonly status: number
  readonly view: ProblemView

  constructor(status: number, view: ProblemView) {
    super(`${view.error}: ${view.cause}`)
    this.status = status
    this.view = view
  }
}

export function explain(error: unknown): {
  readonly status: number
  readonly problem: ProblemView
} {
  if (error instanceof Problem) return { status: error.status, problem: error.view }
  if (error instanceof ExchangeError) {
    const { status, message: cause, fix, traceId } = error
    // The service's own code when it gave one, else how the exchange came to nothing.
    const code = error.code === 'exchange_refused' ? error.error : error.code
    return {
      status,
      problem: { error: code, cause, fix, ...(traceId ? { trace_id: traceId } : {}) },
    }
  }
  if (error instanceof IdTokenError) {
    const { status, code, message, fix } = error
    return { status, problem: { error: code, cause: message, fix } }
  }
  const { status } = error as { readonly status?: unknown }
  if (status === 400 || status === 413) {
    const cause = 'The request body is not JSON of a sensible size.'
    return {
      status,
      problem: { error: 'invalid_request', cause, fix: 'Send a small JSON object.' },
    }
  }
  return {
    status: 500,
    problem: {
      error: 'internal_server_error',
      cause: 'Visit Notes met a mistake of its own.',
      fix: 'Look at the terminal in which it runs.',
    },
  }
}

// What this app tells its own page when something fails: a stable code, the cause, the fix and the
// trace id that support asks for. Never carries a code, a token or a secret. Spec §7.

export interface ProblemView {
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly fix: string

  constructor(status: number, code: string, message: string, fix: string) {
    super(message)
    this.status = status
    this.code = code
    this.fix = fix
  }
}

/** `Problem`, and the errors of the app kit, which say as much. */
interface Telling {
  /** Missing when a server behind this one is at fault. */
  readonly status?: number
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly traceId?: string | undefined
}

const isTelling = (error: unknown): error is Telling =>
  error instanceof Error && 'code' in error && 'fix' in error

export function explain(error: unknown): { status: number; problem: ProblemView } {
  if (isTelling(error)) {
    const { status = 502, code, message: cause, fix, traceId } = error
    return {
      status,
      problem: { error: code, cause, fix, ...(traceId ? { trace_id: traceId } : {}) },
    }
  }
  const cause = 'The app met a mistake of its own.'
  const fix = 'Look at the terminal in which it runs.'
  return { status: 500, problem: { error: 'internal_server_error', cause, fix } }
}

// Error responses of an app: a stable code, the cause, the fix and the trace id that support asks
// for. Never contains a code, a token or a secret. Spec §7.
import { CodedError } from '../coded-error.ts'

/** The JSON body of an error response, as the page and the launch's timeline show it. */
export interface ProblemView {
  /** The stable code, in snake_case, or as the service or the SDK spells it. */
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

/**
 * An error of the app's own code, which `explainError` turns into an error response. The constructor
 * takes the HTTP status, and code, cause and fix. Never throws. Spec §7.
 * @example throw new Problem(409, { error: 'note_locked', cause: 'It is signed.', fix: 'Add a new note.' })
 */
export class Problem extends CodedError<string> {
  readonly status: number

  constructor(status: number, { error, cause, fix }: ProblemView) {
    super(error, cause, fix)
    this.status = status
  }
}

/** The fields of `Problem` and of the errors of the app kit. */
interface ExplainedError extends Error {
  /** The status is missing when a server behind this one failed. */
  readonly status?: number
  readonly code: string
  readonly fix: string
  /** The service's own code, on `exchange_refused`. */
  readonly error?: string
  readonly traceId?: string | undefined
}

/** The error that a framework throws for a request that it refuses, such as a body that is no JSON. */
interface RefusedRequest extends Error {
  readonly status?: number
  /** The status of an error of Fastify. */
  readonly statusCode?: number
}

const isExplained = (thrown: unknown): thrown is ExplainedError =>
  thrown instanceof Error && 'code' in thrown && 'fix' in thrown

/** The status of a request that the framework refused, from 400 to 499. */
function refusedStatusOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { status, statusCode = status } = thrown as RefusedRequest
  return Number.isInteger(statusCode) && Math.floor(Number(statusCode) / 100) === 4
    ? statusCode
    : undefined
}

/**
 * Returns the status and the body of the error response for anything that was thrown. It shows nothing of an
 * unexpected error, which becomes `internal_server_error`. Never throws. Spec §7.
 * @example const { status, problem } = explainError(error); return Response.json(problem, { status })
 */
export function explainError(thrown: unknown): { status: number; problem: ProblemView } {
  if (isExplained(thrown)) {
    const { status = 502, code, message: cause, fix, traceId } = thrown
    const error = code === 'exchange_refused' ? (thrown.error ?? code) : code
    return { status, problem: { error, cause, fix, ...(traceId ? { trace_id: traceId } : {}) } }
  }
  const refused = refusedStatusOf(thrown)
  if (refused !== undefined) {
    const fix = 'Send the request as its address expects it.'
    const cause = 'The app does not accept the request.'
    return { status: refused, problem: { error: 'invalid_request', cause, fix } }
  }
  const cause = 'The app failed with an internal error.'
  const fix = 'Look at the terminal in which it runs.'
  return { status: 500, problem: { error: 'internal_server_error', cause, fix } }
}

// What a call of the backend API can end in beside its answer: a refusal of the service as problem
// details (RFC 9457), or no answer at all. Pages show these by `parts/problem-page.tsx` and match on
// `code`, never on texts.

export interface FieldProblem {
  /** The JSON Pointer into the body, such as `/name`. */
  readonly field: string
  readonly message: string
}

export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly traceId: string
  readonly fields: readonly FieldProblem[]
  /** Seconds, of Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    retryAfter: number | undefined,
  ) {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    super(text('detail') || text('title') || `The service answered ${status}.`)
    this.name = 'ApiProblem'
    this.status = status
    this.code = text('code')
    this.title = text('title')
    this.traceId = text('traceId')
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : []
    this.retryAfter = retryAfter
  }
}

/** The request reached no service: the device is offline, or the service is not there. */
export class NoAnswer extends Error {
  constructor() {
    super('The service cannot be reached.')
    this.name = 'NoAnswer'
  }
}

export type Problem = ApiProblem | NoAnswer

/** @throws the error itself when it is a mistake of the program */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiProblem || error instanceof NoAnswer) return error
  throw error
}

export const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

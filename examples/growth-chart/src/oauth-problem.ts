// Turns the errors of openid-client and of Express's body parser into error responses: code, cause,
// fix, trace id. Owns the wording; never quotes a code, a token or a secret. Spec §7.
import { explainError, Problem, type ProblemView } from '@chartside/app-kit/server'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'

interface ErrorResponse {
  readonly status: number
  readonly problem: ProblemView
}

const AGAIN = 'Launch the app again from the panel beside the chart.'

const FIXES: Readonly<Record<string, string>> = {
  invalid_client: 'Check CLIENT_ID and CLIENT_SECRET of this server.',
  temporarily_unavailable: 'Wait a moment, then launch the app again. Your settings are fine.',
}

export const serviceUnreachable = (cause: string): Problem =>
  new Problem(502, {
    error: 'service_unreachable',
    cause,
    fix: 'Check that the service runs and that CHARTSIDE_BASE_URL is its address.',
  })

export function explain(error: unknown): ErrorResponse {
  return explainBodyError(error) ?? explainClientError(error) ?? explainError(error)
}

/** Express's body parser sets `statusCode` on the error of a request that it refuses. */
function explainBodyError(error: unknown): ErrorResponse | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = Number(error.statusCode)
  if (!(status >= 400 && status < 500)) return undefined
  // The parser's own message quotes the body.
  const isParseError = 'type' in error && error.type === 'entity.parse.failed'
  const cause = isParseError ? 'The request body is not JSON.' : error.message
  return { status, problem: { error: 'invalid_request', cause, fix: 'Send a small JSON object.' } }
}

function explainClientError(error: unknown): ErrorResponse | undefined {
  if (error instanceof ResponseBodyError) {
    const trace = error.cause.trace_id
    const problem = {
      error: error.error,
      cause: error.error_description ?? `The token endpoint answered ${error.status}.`,
      fix: FIXES[error.error] ?? AGAIN,
      ...(typeof trace === 'string' ? { trace_id: trace } : {}),
    }
    return { status: error.status, problem }
  }
  if (error instanceof AuthorizationResponseError) {
    const cause = error.error_description ?? 'The launch was not authorized.'
    return { status: 400, problem: { error: error.error, cause, fix: AGAIN } }
  }
  // The library passes on the error of Node's fetch.
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return explainError(serviceUnreachable('The service could not be reached.'))
  }
  const answer = error instanceof ClientError && error.cause
  if (answer instanceof Response && answer.status >= 500) {
    const code = 'temporarily_unavailable'
    const cause = `The service answered ${answer.status}.`
    return { status: 503, problem: { error: code, cause, fix: FIXES[code] ?? AGAIN } }
  }
  if (error instanceof ClientError) {
    const isLate = error.code === 'OAUTH_TIMEOUT'
    const cause = isLate ? 'The token endpoint did not answer within 10 seconds.' : error.message
    const problem = { error: error.code ?? 'oauth_error', cause, fix: AGAIN }
    return { status: isLate ? 504 : 400, problem }
  }
  return undefined
}

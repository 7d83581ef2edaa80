// Turns what openid-client throws into what a person can act on: code, cause, fix, trace id.
// Owns the wording; never quotes a code, a token or a secret. Spec §7.
import {
  type Explained,
  explain as explainError,
  Problem,
} from '@chartside/example-app-shell/problem'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { TITLE } from './pages.ts'

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

export function explain(error: unknown): Explained {
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
  // What Node's fetch throws passes through the library as it is.
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return explainError(serviceUnreachable('The service could not be reached.'), TITLE)
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
  return explainError(error, TITLE)
}

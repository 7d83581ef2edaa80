// Turns what openid-client throws into what a person can act on: code, cause, fix, trace id.
// Owns the wording; never quotes a code, a token or a secret. Spec §7.
import type { Explained } from '@chartside/example-app-shell/problem'
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'

const AGAIN = 'Launch the app again from the panel beside the chart.'

const FIXES: Readonly<Record<string, string>> = {
  invalid_client: 'Check CLIENT_ID and CLIENT_SECRET of this server.',
  temporarily_unavailable: 'Wait a moment, then launch the app again. Your settings are fine.',
}

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
  if (error instanceof ClientError) {
    const isLate = error.code === 'OAUTH_TIMEOUT'
    const cause = isLate ? 'The token endpoint did not answer within 10 seconds.' : error.message
    const problem = { error: error.code ?? 'oauth_error', cause, fix: AGAIN }
    return { status: isLate ? 504 : 400, problem }
  }
  const cause = error instanceof Error ? error.message : 'Something unexpected happened.'
  const fix = 'Check that the service runs and that CHARTSIDE_BASE_URL is its address.'
  return { status: 502, problem: { error: 'service_unreachable', cause, fix } }
}

// What an error of the authorize request means for the app: the fix for each OAuth code, because
// a new launch fixes only some of them. Pure. RFC 6749 4.1.2.1; OpenID Connect Core 3.1.2.6.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'

const FIXES: Readonly<Record<string, string>> = {
  invalid_scope:
    'Ask for the scopes "launch openid" (beginLaunch: scope), and only for granted ones.',
  invalid_request: `Correct the parameter that the cause names. ${LAUNCH_AGAIN}`,
  unsupported_response_type: 'Send response_type=code, as beginLaunch does.',
  unauthorized_client: 'Compare the registration of the app with what it does, and enable the app.',
  login_required: 'Sign in again beside the chart, then launch the app again.',
  temporarily_unavailable: 'Wait a moment, then launch the app again. Your settings are fine.',
  server_error: `${LAUNCH_AGAIN} If it happens again, pass the trace id on to the platform.`,
  access_denied: `${LAUNCH_AGAIN} A launch can be used once, and only while it is live.`,
}

export const isAuthorizeError = (code: string): boolean => Object.hasOwn(FIXES, code)

/** Reads `description` as the service writes it: the cause, then the trace id of the refusal. */
export function describeAuthorizeError(
  oauthError: string,
  description: string | null,
): AppKitError {
  const text = description ?? 'The launch was not authorized.'
  const [, cause = text, traceId] = /^(.*\S)\s*\(trace ([\w-]+)\)$/.exec(text) ?? []
  return new AppKitError('authorization_failed', cause, {
    fix: FIXES[oauthError] ?? LAUNCH_AGAIN,
    oauthError,
    ...(traceId === undefined ? {} : { traceId }),
  })
}

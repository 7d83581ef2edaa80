// Decides an authorize request: whether it may be answered with a redirect, and whether its launch
// may get a code. Pure: parameters, app, launch and time in; a decision out. The texts of a refusal
// go to the app. Spec §4.1, contract §2, RFC 6749 4.1.2.1, RFC 9207.
import { type App, decideRedirectUri, type RegisteredRedirectUri } from '../apps/app.ts'
import type { EnvironmentName } from '../config/settings.ts'
import { parseParameters, type RawParameters } from '../http/input/parameters.ts'
import type { OAuthErrorCode } from '../kernel/errors.ts'
import { REASONS, type Reason } from '../kernel/reasons.ts'
import type { Launch } from '../launches/launch.ts'
import { AUTHORIZE_PARAMETERS } from './authorize-schema.ts'

export type AuthorizeRequest = ReturnType<typeof parseAuthorizeRequest>

export function parseAuthorizeRequest(raw: RawParameters) {
  return parseParameters(AUTHORIZE_PARAMETERS, raw)
}

export type ClientDecision =
  | { readonly app: App; readonly redirectUri: RegisteredRedirectUri }
  | { readonly refusal: { readonly cause: string; readonly fix: string } }

/**
 * Whether this request may be answered with a redirect. It may not when the client is unknown, the
 * redirect URI is not registered (RFC 6749 4.1.2.1), or one of the two was sent twice.
 */
export function decideClient(request: AuthorizeRequest, app: App | undefined): ClientDecision {
  const refuse = (cause: string, fix: string) => ({ refusal: { cause, fix } })
  for (const name of ['client_id', 'redirect_uri'] as const) {
    const problem = request.problems.get(name)
    if (problem) return refuse(problem, `Send ${name} once, as it is registered.`)
    if (request.values[name] === undefined) {
      return refuse(`The parameter ${name} is missing.`, `Add ${name} to the authorize request.`)
    }
  }
  const { client_id: clientId = '', redirect_uri: redirectUri = '' } = request.values
  if (!app) {
    return clientId.startsWith('app_')
      ? refuse(
          'client_id holds the app’s id, not its client ID.',
          'Use the client ID of the app; it starts with cli_.',
        )
      : refuse(REASONS.client_unknown.cause, REASONS.client_unknown.fix)
  }
  const registered = decideRedirectUri(app, redirectUri)
  if (registered) return { app, redirectUri: registered }
  return refuse(
    'redirect_uri is not one of the app’s registered redirect URIs.',
    'Register it exactly as it is sent: scheme, host, port, path, query and final slash all count.',
  )
}

/** The launch that the request names, and whether the provider behind it is signed in. */
export interface LaunchWithSignInState {
  readonly launch: Launch
  readonly isSignedIn: boolean
}

export interface AuthorizeFacts {
  readonly request: AuthorizeRequest
  readonly app: App
  readonly found: LaunchWithSignInState | undefined
  readonly environment: EnvironmentName
  readonly now: number
}

export interface Grant {
  readonly launch: Launch
  readonly scope: string
  readonly nonce: string | undefined
  readonly codeChallenge: string | undefined
}

export interface Refusal {
  readonly code: OAuthErrorCode
  readonly description: string
  readonly reason: Reason
}

export type AuthorizeDecision = { readonly grant: Grant } | { readonly refusal: Refusal }

/** The launch that a request names; an identity provider carries it as login_hint (spec §5.3). */
export function launchParameter(request: AuthorizeRequest, app: App): string | undefined {
  const { launch, login_hint: loginHint } = request.values
  return launch ?? (app.exchange === 'identity_provider' ? loginHint : undefined)
}

export function decideAuthorize(facts: AuthorizeFacts): AuthorizeDecision {
  const { request, app, found } = facts
  const refusal =
    refuseRequest(request) ?? refuseApp(facts) ?? refuseScope(request) ?? refuseChallenge(facts)
  if (refusal) return { refusal }
  if (launchParameter(request, app) === undefined) {
    return { refusal: explain('invalid_request', 'launch_missing') }
  }
  if (!found) return { refusal: explain('invalid_request', 'launch_unknown') }
  const { launch } = found
  const launchRefusal = refuseLaunch(facts, found)
  if (launchRefusal) return { refusal: launchRefusal }
  return {
    grant: {
      launch,
      scope: grantedScope(request),
      nonce: request.values.nonce,
      codeChallenge: request.values.code_challenge,
    },
  }
}

export function explain(code: OAuthErrorCode, reason: Reason): Refusal {
  return { code, reason, description: `${REASONS[reason].cause} ${REASONS[reason].fix}` }
}

const malformed = (description: string, code: OAuthErrorCode = 'invalid_request'): Refusal => ({
  code,
  description,
  reason: 'request_malformed',
})

function refuseRequest({ values, problems }: AuthorizeRequest): Refusal | undefined {
  if (values.request) {
    return malformed('Request objects are not supported.', 'request_not_supported')
  }
  if (values.request_uri) {
    return malformed('request_uri is not supported.', 'request_uri_not_supported')
  }
  const [problem] = problems.values()
  if (problem) return malformed(problem)
  if (values.response_type === undefined) {
    return malformed('The parameter response_type is missing; it must be code.')
  }
  if (values.response_type !== 'code') {
    return malformed('response_type must be code.', 'unsupported_response_type')
  }
  if (values.response_mode !== undefined && values.response_mode !== 'query') {
    return malformed('response_mode must be query, or absent.')
  }
  if (values.state === undefined) {
    return malformed('The parameter state is missing; send <launch_id>:<random string>.')
  }
  return undefined
}

function refuseApp({ app, environment }: AuthorizeFacts): Refusal | undefined {
  if (!app.enabled) return explain('unauthorized_client', 'app_disabled')
  if (environment === 'staging' && !app.stagingAccess) {
    return explain('unauthorized_client', 'app_without_staging_access')
  }
  return undefined
}

const REQUIRED_SCOPES = ['launch', 'openid'] as const
const GRANTABLE_SCOPES = ['launch', 'openid', 'profile', 'email'] as const

const scopesOf = (request: AuthorizeRequest) => (request.values.scope ?? '').split(' ')

function refuseScope(request: AuthorizeRequest): Refusal | undefined {
  const missing = REQUIRED_SCOPES.filter((scope) => !scopesOf(request).includes(scope))
  if (missing.length === 0) return undefined
  return malformed(
    `scope must contain "launch openid"; missing: ${missing.join(' ')}.`,
    'invalid_scope',
  )
}

/** The requested scopes that exist; unknown values are not granted (RFC 6749 3.3). */
function grantedScope(request: AuthorizeRequest): string {
  return GRANTABLE_SCOPES.filter((scope) => scopesOf(request).includes(scope)).join(' ')
}

/** RFC 7636 4.2: 43 characters of base64url, the SHA-256 of the verifier. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

function refuseChallenge({ request, app }: AuthorizeFacts): Refusal | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = request.values
  if (challenge === undefined) {
    if (method !== undefined)
      return malformed('code_challenge_method was sent without code_challenge.')
    return app.requirePkce ? explain('invalid_request', 'pkce_required') : undefined
  }
  if (method !== 'S256') {
    return malformed('code_challenge_method must be S256; plain is refused (RFC 7636 4.2).')
  }
  return CHALLENGE.test(challenge)
    ? undefined
    : malformed('code_challenge must be 43 characters of base64url (the SHA-256 of the verifier).')
}

function refuseLaunch(
  { request, app, now }: AuthorizeFacts,
  { launch, isSignedIn }: LaunchWithSignInState,
): Refusal | undefined {
  if (launch.clientId !== app.clientId) return explain('access_denied', 'launch_of_another_app')
  if (!isSignedIn) {
    const isPromptNone = request.values.prompt?.split(' ').includes('none')
    return explain(isPromptNone ? 'login_required' : 'access_denied', 'user_signed_out')
  }
  if (launch.endedAt !== undefined) return explain('access_denied', 'launch_ended')
  if (launch.codeSpentAt !== undefined) {
    const hasToken = launch.tokenExpiresAt !== undefined
    return explain('access_denied', hasToken ? 'launch_used' : 'launch_invalidated')
  }
  if (launch.expiresAt <= now) return explain('access_denied', 'launch_expired')
  return undefined
}

// Decides an authorize request: whether it may be answered with a redirect, and whether its launch
// may get a code. Pure: parameters, app, launch and time in; a decision out. The texts of a refusal
// go to the app. Spec §4.1, contract §2, RFC 6749 4.1.2.1, RFC 9207.
import { type App, decideRedirectUri, isSmart, type RegisteredRedirectUri } from '../apps/app.ts'
import type { EnvironmentName } from '../config/settings.ts'
import type { Launch } from '../launches/launch.ts'
import {
  type AuthorizeRequest,
  grantedScope,
  type Refusal,
  refusalOf,
  refuseAudience,
  refuseChallenge,
  refuseMissing,
  refuseProblems,
  refuseScope,
  refuseValues,
} from './authorize-request.ts'

export type ClientDecision =
  | { readonly app: App; readonly redirectUri: RegisteredRedirectUri }
  | { readonly refusal: Refusal }

/**
 * Whether this request may be answered with a redirect. It may not when the client is unknown, the
 * redirect URI is not registered (RFC 6749 4.1.2.1), or one of the two is missing or sent twice.
 */
export function decideClient(request: AuthorizeRequest, app: App | undefined): ClientDecision {
  const { values, problems } = request
  for (const name of ['client_id', 'redirect_uri'] as const) {
    const cause = problems.get(name)
    if (cause === undefined) continue
    const fix = `Send ${name} once, as it is registered.`
    return {
      refusal: refusalOf('invalid_request', 'request_malformed', { cause, fix, sent: [name] }),
    }
  }
  const { client_id: clientId, redirect_uri: redirectUri } = values
  if (clientId === undefined || redirectUri === undefined) {
    const hasLaunch = app !== undefined && launchParameter(request, app) !== undefined
    const refusal = refuseMissing(request, hasLaunch)
    if (refusal) return { refusal }
  }
  if (!app) {
    const isAppId = clientId?.startsWith('app_')
    const reason = isAppId ? 'client_id_is_app_id' : 'client_unknown'
    return { refusal: refusalOf('invalid_request', reason, { sent: ['client_id'] }) }
  }
  const registered = decideRedirectUri(app, redirectUri ?? '')
  if (registered) return { app, redirectUri: registered }
  return {
    refusal: refusalOf('invalid_request', 'redirect_uri_unregistered', { sent: ['redirect_uri'] }),
  }
}

/** Authorize reads these of a launch. */
export type AuthorizedLaunch = Pick<
  Launch,
  | 'id'
  | 'appId'
  | 'clientId'
  | 'sessionId'
  | 'expiresAt'
  | 'codeSpentAt'
  | 'tokenExpiresAt'
  | 'endedAt'
> & { readonly userId: string }

/** The launch that the request names, and the sign-in of the provider behind it. */
export interface LaunchWithSignInState {
  readonly launch: AuthorizedLaunch
  readonly isSignedIn: boolean
  readonly signedInAt: number
  /** The number of times that the launch was authorized. */
  readonly authorizations: number
}

/** A reload authorizes again; a page in a loop must not write for ever. Contract §9. */
export const MAX_AUTHORIZATIONS = 20

export interface AuthorizeFacts {
  readonly request: AuthorizeRequest
  readonly app: App
  readonly found: LaunchWithSignInState | undefined
  readonly environment: EnvironmentName
  readonly issuer: string
  readonly now: number
}

export interface Grant {
  readonly launch: AuthorizedLaunch
  readonly scope: string
  readonly nonce: string | undefined
  readonly codeChallenge: string | undefined
}

export type AuthorizeDecision = { readonly grant: Grant } | { readonly refusal: Refusal }

/** The launch that a request names; an identity provider carries it as login_hint (spec §5.3). */
export function launchParameter(
  { values }: AuthorizeRequest,
  app: Pick<App, 'exchange'>,
): string | undefined {
  return values.launch ?? (app.exchange === 'identity_provider' ? values.login_hint : undefined)
}

/**
 * Every value that may be a launch_id, also in the wrong place: what a refusal is written down for.
 * Its holder may read the launch, so a failed step on it shows nothing that the holder must not see.
 */
export function listMentionedLaunches({ values }: AuthorizeRequest): readonly string[] {
  const { launch, launch_id: launchId, login_hint: loginHint, state } = values
  const mentioned = [launch, launchId, loginHint, state?.split(':', 1)[0]]
  return [...new Set(mentioned.filter((value) => value !== undefined))]
}

export function decideAuthorize(facts: AuthorizeFacts): AuthorizeDecision {
  const { request, app, found } = facts
  const refusal =
    refuseProblems(request) ??
    refuseMissing(request, launchParameter(request, app) !== undefined) ??
    refuseValues(request) ??
    refuseApp(facts) ??
    (isSmart(app) ? refuseAudience(request, facts.issuer) : undefined) ??
    refuseScope(request, isSmart(app)) ??
    refuseChallenge(request, app.requirePkce)
  if (refusal) return { refusal }
  if (!found)
    return { refusal: refusalOf('invalid_request', 'launch_unknown', describeText(request)) }
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

/** The texts of programs without a value, and the names of places that they have not filled. */
const PROGRAM_TEXT =
  /^(undefined|null|NaN|launch_id|\[object \w{1,20}\]|[{<$:]{1,2}\w{1,20}[}>]{0,2})$/

function describeText({
  values: { launch = '' },
}: AuthorizeRequest): Pick<Refusal, 'cause'> | object {
  if (!PROGRAM_TEXT.test(launch)) return {}
  return { cause: `The parameter launch is the text ${launch}, which is no launch_id.` }
}

function refuseApp({ app, environment }: AuthorizeFacts): Refusal | undefined {
  if (!app.enabled) return refusalOf('unauthorized_client', 'app_disabled')
  if (environment === 'staging' && !app.stagingAccess) {
    return refusalOf('unauthorized_client', 'app_without_staging_access')
  }
  return undefined
}

function refuseLaunch(
  { request, app, now }: AuthorizeFacts,
  { launch, isSignedIn, signedInAt, authorizations }: LaunchWithSignInState,
): Refusal | undefined {
  if (launch.clientId !== app.clientId) {
    return refusalOf('access_denied', 'launch_of_another_app', { sent: ['client_id'] })
  }
  if (!isSignedIn) {
    const isPromptNone = request.values.prompt?.split(' ').includes('none')
    return refusalOf(isPromptNone ? 'login_required' : 'access_denied', 'user_signed_out')
  }
  if (launch.endedAt !== undefined) return refusalOf('access_denied', 'launch_ended')
  if (launch.codeSpentAt !== undefined) {
    const hasToken = launch.tokenExpiresAt !== undefined
    return refusalOf('access_denied', hasToken ? 'launch_used' : 'launch_invalidated')
  }
  if (launch.expiresAt <= now) return refusalOf('access_denied', 'launch_expired')
  if (isTooOld(request.values.max_age, now - signedInAt)) {
    return refusalOf('login_required', 'sign_in_too_old', { sent: ['max_age'] })
  }
  return authorizations >= MAX_AUTHORIZATIONS
    ? refusalOf('access_denied', 'launch_authorized_too_often')
    : undefined
}

/** Compares the age; max_age=0 means a new sign-in, as prompt=login does (OpenID Connect Core 3.1.2.1). */
const isTooOld = (maxAge: string | undefined, ageMs: number): boolean =>
  maxAge !== undefined && (Number(maxAge) === 0 || ageMs > Number(maxAge) * 1000)

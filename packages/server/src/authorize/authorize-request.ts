// The rules on the parameters of an authorize request alone: what is missing, doubled or not
// allowed. Pure. A refusal names its cause, its fix, and the parameters whose values refusalOf it.
// Spec §4.1, contract §2, OpenID Connect Core 3.1.2.1, RFC 7636 4.2.
import { parseParameters, type RawParameters } from '../http/input/parameters.ts'
import type { OAuthErrorCode } from '../kernel/errors.ts'
import { REASONS, type Reason } from '../kernel/reasons.ts'
import { AUTHORIZE_PARAMETERS } from './authorize-schema.ts'

export type AuthorizeParameter = keyof typeof AUTHORIZE_PARAMETERS.properties | 'launch_id'

export interface AuthorizeRequest {
  readonly values: Readonly<Partial<Record<AuthorizeParameter, string>>>
  readonly problems: ReadonlyMap<string, string>
  /** The parameters as they were sent, for the evidence of a refusal. */
  readonly raw: RawParameters
}

/** The parameter does not belong to authorize: it is read only to recognize a launch under the wrong name. */
const LAUNCH_ID = { properties: { launch_id: { type: 'string', maxLength: 256 } } } as const

export function parseAuthorizeRequest(raw: RawParameters): AuthorizeRequest {
  const { values, problems } = parseParameters(AUTHORIZE_PARAMETERS, raw)
  const { launch_id: launchId } = parseParameters(LAUNCH_ID, raw).values
  return { values: { ...values, ...(launchId ? { launch_id: launchId } : {}) }, problems, raw }
}

export interface Refusal {
  readonly code: OAuthErrorCode
  readonly reason: Reason
  readonly cause: string
  readonly fix: string
  /** The parameters whose values show what is wrong. */
  readonly sent: readonly AuthorizeParameter[]
}

export const refusalOf = (
  code: OAuthErrorCode,
  reason: Reason,
  about: Partial<Pick<Refusal, 'cause' | 'fix' | 'sent'>> = {},
): Refusal => {
  const { cause, fix } = REASONS[reason]
  return { code, reason, cause, fix, sent: [], ...about }
}

const malformed = (
  name: AuthorizeParameter,
  cause: string,
  fix: string,
  code: OAuthErrorCode = 'invalid_request',
) => refusalOf(code, 'request_malformed', { cause, fix, sent: [name] })

/** The form in which each required parameter is sent. */
const REQUIRED = {
  response_type: 'response_type=code',
  client_id: 'client_id with the client ID of the app',
  launch: 'launch with the launch_id of the Launch URL',
  scope: 'scope=launch openid',
  redirect_uri: 'redirect_uri with a registered redirect URI',
  state: 'state=<launch_id>:<random string>',
} as const satisfies Partial<Record<AuthorizeParameter, string>>

/** Refuses all required parameters that are absent, together. With `hasLaunch`, the launch came another way. */
export function refuseMissing(
  { values, problems }: AuthorizeRequest,
  hasLaunch: boolean,
): Refusal | undefined {
  const isMissing = (name: keyof typeof REQUIRED) =>
    values[name] === undefined && !problems.has(name) && !(name === 'launch' && hasLaunch)
  const missing = (Object.keys(REQUIRED) as (keyof typeof REQUIRED)[]).filter(isMissing)
  // RFC 6749 3.3: a request without a scope is answered with invalid_scope.
  if (missing.length === 0 || (missing.length === 1 && missing[0] === 'scope')) return undefined
  const isMisnamed = missing.includes('launch') && values.launch_id !== undefined
  const sent = isMisnamed ? (['launch_id'] as const) : []
  if (missing.length === 1 && missing[0] === 'launch') {
    return refusalOf('invalid_request', isMisnamed ? 'launch_in_launch_id' : 'launch_missing', {
      sent,
    })
  }
  const misnamed = isMisnamed ? ' launch_id was sent; authorize reads it as launch.' : ''
  const parameters = missing.length === 1 ? 'parameter' : 'parameters'
  return refusalOf('invalid_request', 'parameters_missing', {
    cause: `The authorize request lacks the ${parameters} ${missing.join(', ')}.${misnamed}`,
    fix: `Send ${missing.map((name) => REQUIRED[name]).join('; ')}.`,
    sent,
  })
}

/** Whether this refusal can be decided without the app: request objects, doubled and long values. */
export function refuseProblems({ values, problems }: AuthorizeRequest): Refusal | undefined {
  if (values.request) {
    const fix = 'Send the parameters themselves.'
    return malformed('request', 'Request objects are not supported.', fix, 'request_not_supported')
  }
  if (values.request_uri) {
    const fix = 'Send the parameters themselves.'
    return malformed(
      'request_uri',
      'request_uri is not supported.',
      fix,
      'request_uri_not_supported',
    )
  }
  const [problem] = problems
  if (!problem) return undefined
  return malformed(problem[0] as AuthorizeParameter, problem[1], `Send ${problem[0]} once, short.`)
}

export function refuseValues({ values }: AuthorizeRequest): Refusal | undefined {
  if (values.response_type !== 'code') {
    const fix = 'Send response_type=code.'
    return malformed(
      'response_type',
      'response_type must be code.',
      fix,
      'unsupported_response_type',
    )
  }
  if (values.response_mode !== undefined && values.response_mode !== 'query') {
    const cause = 'response_mode must be query, or absent.'
    return malformed('response_mode', cause, 'Leave response_mode out.')
  }
  if (values.max_age !== undefined && !/^\d{1,10}$/.test(values.max_age)) {
    return malformed('max_age', 'max_age must be a number of seconds.', 'Leave max_age out.')
  }
  return refusePrompt(values.prompt)
}

/** The error that names what prompt asked for (OpenID Connect Core 3.1.2.6). */
const PROMPTS: Readonly<Record<string, OAuthErrorCode>> = {
  login: 'login_required',
  consent: 'consent_required',
  select_account: 'account_selection_required',
}

function refusePrompt(prompt: string | undefined): Refusal | undefined {
  const prompts = (prompt ?? '').split(' ').filter(Boolean)
  if (prompts.includes('none') && prompts.length > 1) {
    const cause = 'prompt has none together with another value.'
    return malformed('prompt', cause, 'Send prompt=none alone, or leave prompt out.')
  }
  const code = prompts.map((value) => PROMPTS[value]).find((found) => found !== undefined)
  if (code) return refusalOf(code, 'prompt_not_possible', { sent: ['prompt'] })
  // What prompt_values_supported does not name is refused (Initiating User Registration via OpenID Connect 1.0).
  if (prompts.every((value) => value === 'none')) return undefined
  return malformed('prompt', 'prompt has an unknown value.', 'Send prompt=none, or leave it out.')
}

const REQUIRED_SCOPES = ['launch', 'openid'] as const
/** SMART App Launch 2.2: an app that does not ask who the user is leaves openid out. */
const REQUIRED_SCOPES_OF_SMART = ['launch'] as const
const GRANTABLE_SCOPES = ['launch', 'openid', 'profile', 'email'] as const

const scopesOf = (request: AuthorizeRequest) => (request.values.scope ?? '').split(' ')

export function refuseScope(request: AuthorizeRequest, isOfSmartApp: boolean): Refusal | undefined {
  const required = isOfSmartApp ? REQUIRED_SCOPES_OF_SMART : REQUIRED_SCOPES
  const missing = required.filter((scope) => !scopesOf(request).includes(scope))
  if (missing.length === 0) return undefined
  const wanted = required.join(' ')
  const cause = `scope must contain "${wanted}"; missing: ${missing.join(' ')}.`
  const fix = `Send scope=${wanted}, and ${isOfSmartApp ? 'openid, ' : ''}profile or email as you need them.`
  return malformed('scope', cause, fix, 'invalid_scope')
}

/** SMART App Launch 2.2: `aud` names the server whose token the app wants, so that no other gets it. */
export function refuseAudience({ values }: AuthorizeRequest, issuer: string): Refusal | undefined {
  if (values.aud === undefined || values.aud === issuer) return undefined
  const cause = 'aud is not the issuer that the Launch URL names as iss.'
  return malformed('aud', cause, 'Send aud with the value of iss, or leave aud out.')
}

/** The requested scopes that exist; unknown values are not granted (RFC 6749 3.3). */
export function grantedScope(request: AuthorizeRequest): string {
  return GRANTABLE_SCOPES.filter((scope) => scopesOf(request).includes(scope)).join(' ')
}

/** The format of a challenge, 43 characters of base64url, the SHA-256 of the verifier (RFC 7636 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

export function refuseChallenge(
  { values }: AuthorizeRequest,
  requirePkce: boolean,
): Refusal | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = values
  if (challenge === undefined) {
    if (method !== undefined) {
      const cause = 'code_challenge_method was sent without code_challenge.'
      return malformed('code_challenge_method', cause, 'Send both, or none of them.')
    }
    return requirePkce ? refusalOf('invalid_request', 'pkce_required') : undefined
  }
  if (method !== 'S256') {
    const cause = 'code_challenge_method must be S256; plain is refused (RFC 7636 4.2).'
    return malformed('code_challenge_method', cause, 'Send code_challenge_method=S256.')
  }
  if (CHALLENGE.test(challenge)) return undefined
  const cause = 'code_challenge must be 43 characters of base64url (the SHA-256 of the verifier).'
  return malformed('code_challenge', cause, 'Make it with SHA-256 and base64url without padding.')
}

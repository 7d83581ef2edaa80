// Why a step of a launch failed: the precise reasons behind the few codes on the wire, each with its
// cause, its fix and who can make it. The log and the app's owner (timeline) get the reason, no other
// caller. Interop: "every error has a stable code, a trace id, a cause and a fix".

/** The party that can remove the cause of a failure. */
export type Responsible = 'developer' | 'app_admin' | 'operator' | 'provider'

interface Explanation {
  /** The OAuth error that the app receives; a host reports its own code. */
  readonly code: string | undefined
  readonly cause: string
  readonly fix: string
  readonly who: Responsible
}

export const REASONS = {
  authorize_address_wrong: {
    code: 'invalid_request',
    cause: 'The app sent the browser to an address of the service that is not authorize.',
    fix: 'Send it to authorization_endpoint of discovery, without a doubled or final slash.',
    who: 'developer',
  },
  launch_missing: {
    code: 'invalid_request',
    cause: 'The authorize request has no launch parameter.',
    fix: 'Pass the launch_id of the Launch URL on as launch.',
    who: 'developer',
  },
  launch_in_launch_id: {
    code: 'invalid_request',
    cause: 'The launch came as launch_id; authorize takes it as launch.',
    fix: 'Send the launch_id of the Launch URL as the parameter launch.',
    who: 'developer',
  },
  launch_unknown: {
    code: 'invalid_request',
    cause: 'No launch with this launch_id exists on this server.',
    fix: 'Pass launch_id on unchanged; check that the app talks to the environment that launched it (production or staging).',
    who: 'developer',
  },
  launch_of_another_app: {
    code: 'access_denied',
    cause: 'The launch belongs to another app than the client_id names.',
    fix: 'Use the client_id of the app that was launched; apps that share one address in development receive each other’s launches.',
    who: 'developer',
  },
  launch_expired: {
    code: 'access_denied',
    cause: 'The launch was not authorized in time.',
    fix: 'Launch the app again and go to authorize at once.',
    who: 'developer',
  },
  launch_used: {
    code: 'access_denied',
    cause: 'The launch has already yielded its tokens.',
    fix: 'Launch the app again; every launch yields tokens once.',
    who: 'developer',
  },
  launch_invalidated: {
    code: 'access_denied',
    cause: 'The code of this launch died with a failed exchange.',
    fix: 'Fix the failed exchange in the timeline of the launch, then launch the app again.',
    who: 'developer',
  },
  launch_lost_race: {
    code: 'access_denied',
    cause: 'The launch was exchanged or ended while it was being authorized.',
    fix: 'Launch the app again.',
    who: 'provider',
  },
  launch_authorized_too_often: {
    code: 'access_denied',
    cause: 'The launch has been authorized 20 times without an exchange.',
    fix: 'Find what reloads the page in a loop, then launch the app again.',
    who: 'developer',
  },
  launch_ended: {
    code: 'access_denied',
    cause:
      'The launch has ended: its host closed it, its EHR session ended, or its app was disabled.',
    fix: 'Launch the app again from a live EHR session.',
    who: 'provider',
  },
  user_signed_out: {
    code: 'access_denied',
    cause: 'The provider has signed out since the launch, or the sign-in has expired.',
    fix: 'The provider signs in again; the app is launched again.',
    who: 'provider',
  },
  app_disabled: {
    code: 'unauthorized_client',
    cause: 'The app is disabled.',
    fix: 'An administrator of the app’s account enables it.',
    who: 'app_admin',
  },
  app_without_staging_access: {
    code: 'unauthorized_client',
    cause: 'The app has no access to staging.',
    fix: 'Ask the platform operator for staging access, or use production.',
    who: 'operator',
  },
  pkce_required: {
    code: 'invalid_request',
    cause: 'The app is set to require PKCE and the request has no code_challenge.',
    fix: 'Send code_challenge and code_challenge_method=S256.',
    who: 'developer',
  },
  parameters_missing: {
    code: 'invalid_request',
    cause: 'The authorize request lacks required parameters.',
    fix: 'Send the parameters that the error_description names.',
    who: 'developer',
  },
  request_malformed: {
    code: 'invalid_request',
    cause: 'A parameter is doubled, too long or has a value that is not allowed.',
    fix: 'Correct the parameter that the error_description names.',
    who: 'developer',
  },
  redirect_uri_unregistered: {
    code: 'invalid_request',
    cause: 'redirect_uri is not one of the app’s registered redirect URIs.',
    fix: 'Register it exactly as it is sent: scheme, host, port, path, query and final slash all count.',
    who: 'developer',
  },
  prompt_not_possible: {
    code: 'login_required',
    cause:
      'prompt asks the provider to sign in, to choose an account or to consent, which the frame of an app cannot show.',
    fix: 'Leave prompt out, or send prompt=none; the host launches the app again after a new sign-in.',
    who: 'developer',
  },
  sign_in_too_old: {
    code: 'login_required',
    cause: 'The provider signed in longer ago than max_age allows.',
    fix: 'Leave max_age out, or ask the provider to sign in again; the app is launched again.',
    who: 'provider',
  },
  client_id_is_app_id: {
    code: 'invalid_request',
    cause: 'client_id holds the app’s id, not its client ID.',
    fix: 'Use the client ID of the app; it starts with cli_.',
    who: 'developer',
  },
  client_unknown: {
    code: 'invalid_client',
    cause: 'No app has this client_id on this server.',
    fix: 'Copy the client ID from the app’s page; check production against staging.',
    who: 'developer',
  },
  secret_wrong: {
    code: 'invalid_client',
    cause: 'The client secret is wrong, expired or retired.',
    fix: 'Set the current secret on the app’s server, whole and without quotes, spaces or a line break; make a new one if it is lost.',
    who: 'developer',
  },
  secret_retired: {
    code: 'invalid_client',
    cause: 'The client secret was retired before this exchange.',
    fix: 'Set a live secret of the app on the app’s server; make a new one if it is lost.',
    who: 'developer',
  },
  secret_expired: {
    code: 'invalid_client',
    cause: 'The client secret had expired before this exchange.',
    fix: 'Make a new secret and set it on the app’s server; retire the expired one.',
    who: 'developer',
  },
  secret_of_another_app: {
    code: 'invalid_client',
    cause: 'The client secret belongs to another app than the client_id names.',
    fix: 'Set client_id and client_secret of the same app on the app’s server.',
    who: 'developer',
  },
  assertion_malformed: {
    code: 'invalid_client',
    cause: 'client_assertion is not a JWT as private_key_jwt needs it.',
    fix: 'Sign it with RS256 or ES256, with iss and sub the client ID, and aud, exp and jti.',
    who: 'developer',
  },
  assertion_audience: {
    code: 'invalid_client',
    cause: 'client_assertion is meant for another server: its aud is not this issuer alone.',
    fix: 'Set aud to the issuer of the metadata; check production against staging.',
    who: 'developer',
  },
  assertion_expired: {
    code: 'invalid_client',
    cause: 'client_assertion has expired, begins in the future or lasts longer than 5 minutes.',
    fix: 'Make an assertion of 60 seconds for each request; check the clock of the app’s server.',
    who: 'developer',
  },
  assertion_key: {
    code: 'invalid_client',
    cause: 'No registered key of the app has signed client_assertion.',
    fix: 'Register the public key of the app’s server under the kid that the assertion names.',
    who: 'developer',
  },
  assertion_replayed: {
    code: 'invalid_client',
    cause: 'The jti of client_assertion was used before.',
    fix: 'Make a new assertion with a random jti for each request, also for a repeated one.',
    who: 'developer',
  },
  exchange_from_page: {
    code: 'invalid_request',
    cause: 'A page in a browser sent the exchange; a client secret never belongs into a page.',
    fix: 'Exchange the code on the app’s server; this code is still good there.',
    who: 'developer',
  },
  exchange_malformed: {
    code: 'invalid_request',
    cause: 'The token endpoint cannot read the exchange.',
    fix: 'Send grant_type=authorization_code, the code and one kind of client authentication, as a form or as JSON with the content type of it. The code is spent: launch again.',
    who: 'developer',
  },
  code_unknown: {
    code: 'invalid_grant',
    cause: 'No such authorization code exists, or a newer authorize has replaced it.',
    fix: 'Exchange the code of the last callback, once.',
    who: 'developer',
  },
  code_expired: {
    code: 'invalid_grant',
    cause: 'The authorization code was exchanged too late.',
    fix: 'Exchange the code right after the callback; launch the app again.',
    who: 'developer',
  },
  code_replayed: {
    code: 'invalid_grant',
    cause: 'The code had been exchanged before; the access token that it bought is now revoked.',
    fix: 'Exchange each code once; do not reload the callback page. Launch the app again.',
    who: 'developer',
  },
  code_invalidated: {
    code: 'invalid_grant',
    cause: 'The code died with an earlier failed exchange.',
    fix: 'Fix the first failure in this list, then launch the app again.',
    who: 'developer',
  },
  client_mismatch: {
    code: 'invalid_grant',
    cause: 'The code belongs to another app.',
    fix: 'Exchange the code with the client_id that asked for it.',
    who: 'developer',
  },
  redirect_uri_mismatch: {
    code: 'invalid_grant',
    cause: 'redirect_uri differs from the one of the authorize request.',
    fix: 'Send the same redirect_uri, or leave it out of the token request.',
    who: 'developer',
  },
  verifier_wrong: {
    code: 'invalid_grant',
    cause: 'code_verifier does not match the code_challenge of the authorize request.',
    fix: 'Send the verifier that the challenge was made from.',
    who: 'developer',
  },
  verifier_missing: {
    code: 'invalid_grant',
    cause: 'The authorize request had a code_challenge and the token request has no code_verifier.',
    fix: 'Send code_verifier with the exchange.',
    who: 'developer',
  },
  verifier_unexpected: {
    code: 'invalid_grant',
    cause: 'code_verifier was sent although the authorize request had no code_challenge.',
    fix: 'Send code_challenge to authorize, or leave code_verifier out.',
    who: 'developer',
  },
  page_not_opened: {
    code: undefined,
    cause: 'The page of the app cannot open in the panel, or cannot go on there.',
    fix: 'Do what the cause says; docs/build/preflight.md has every finding.',
    who: 'developer',
  },
  host_reported: {
    code: undefined,
    cause: 'The host could not finish the handshake with the app.',
    fix: 'Do what the cause says; docs/build/errors.md explains each code.',
    who: 'developer',
  },
} as const satisfies Record<string, Explanation>

export type Reason = keyof typeof REASONS

/**
 * Returns cause and fix of a stored reason. Nodes of two versions may share a database, so a row can have a
 * reason that this version does not know.
 */
export const explainReason = (reason: string): Explanation =>
  Object.hasOwn(REASONS, reason)
    ? REASONS[reason as Reason]
    : {
        code: undefined,
        cause: `Another version of the service recorded the reason "${reason}".`,
        fix: 'Bring every node to the same version, or look the reason up in its documentation.',
        who: 'developer',
      }

/** The error codes of a host whose cause is not in the app. */
const WHO_OF_HOST_CODE: Readonly<Record<string, Responsible>> = {
  LAUNCH_ENDED: 'provider',
  PROTOCOL_MISMATCH: 'operator',
}

/** Decides who can remove the cause; the code tells the many failures apart that a host reports. */
export const decideResponsible = (reason: string, code: string | null | undefined): Responsible =>
  (reason === 'host_reported' ? WHO_OF_HOST_CODE[code ?? ''] : undefined) ??
  explainReason(reason).who

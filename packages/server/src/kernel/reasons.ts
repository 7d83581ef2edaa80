// Why a step of a launch failed: the precise reasons behind the few codes on the wire, each with its
// cause and its fix. The reason goes to the log and to the app's owner (timeline), to no other caller. Interop: "every error has a stable code, a trace id, a cause and a fix".

interface Explanation {
  readonly cause: string
  readonly fix: string
}

export const REASONS = {
  authorize_address_wrong: {
    cause: 'The app sent the browser to an address of the service that is not authorize.',
    fix: 'Send it to authorization_endpoint of discovery, without a doubled or final slash.',
  },
  launch_missing: {
    cause: 'The authorize request has no launch parameter.',
    fix: 'Pass the launch_id of the Launch URL on as launch.',
  },
  launch_in_launch_id: {
    cause: 'The launch came as launch_id; authorize takes it as launch.',
    fix: 'Send the launch_id of the Launch URL as the parameter launch.',
  },
  launch_unknown: {
    cause: 'No launch with this launch_id exists on this server.',
    fix: 'Pass launch_id on unchanged; check that the app talks to the environment that launched it (production or staging).',
  },
  launch_of_another_app: {
    cause: 'The launch belongs to another app than the client_id names.',
    fix: 'Use the client_id of the app that was launched; apps that share one address in development receive each other’s launches.',
  },
  launch_expired: {
    cause: 'The launch was not authorized in time.',
    fix: 'Launch the app again and go to authorize at once.',
  },
  launch_used: {
    cause: 'The launch has already yielded its tokens.',
    fix: 'Launch the app again; every launch yields tokens once.',
  },
  launch_invalidated: {
    cause: 'The code of this launch died with a failed exchange.',
    fix: 'Fix the failed exchange in the timeline of the launch, then launch the app again.',
  },
  launch_lost_race: {
    cause: 'The launch was exchanged or ended while it was being authorized.',
    fix: 'Launch the app again.',
  },
  launch_authorized_too_often: {
    cause: 'The launch has been authorized 20 times without an exchange.',
    fix: 'Find what reloads the page in a loop, then launch the app again.',
  },
  launch_ended: {
    cause:
      'The launch has ended: its host closed it, its EHR session ended, or its app was disabled.',
    fix: 'Launch the app again from a live EHR session.',
  },
  user_signed_out: {
    cause: 'The provider has signed out since the launch, or the sign-in has expired.',
    fix: 'The provider signs in again; the app is launched again.',
  },
  app_disabled: {
    cause: 'The app is disabled.',
    fix: 'An administrator of the app’s account enables it.',
  },
  app_without_staging_access: {
    cause: 'The app has no access to staging.',
    fix: 'Ask the platform operator for staging access, or use production.',
  },
  pkce_required: {
    cause: 'The app is set to require PKCE and the request has no code_challenge.',
    fix: 'Send code_challenge and code_challenge_method=S256.',
  },
  parameters_missing: {
    cause: 'The authorize request lacks required parameters.',
    fix: 'Send the parameters that the error_description names.',
  },
  request_malformed: {
    cause: 'A parameter is doubled, too long or has a value that is not allowed.',
    fix: 'Correct the parameter that the error_description names.',
  },
  redirect_uri_unregistered: {
    cause: 'redirect_uri is not one of the app’s registered redirect URIs.',
    fix: 'Register it exactly as it is sent: scheme, host, port, path, query and final slash all count.',
  },
  prompt_not_possible: {
    cause:
      'prompt asks the provider to sign in, to choose an account or to consent, which the frame of an app cannot show.',
    fix: 'Leave prompt out, or send prompt=none; the host launches the app again after a new sign-in.',
  },
  sign_in_too_old: {
    cause: 'The provider signed in longer ago than max_age allows.',
    fix: 'Leave max_age out, or ask the provider to sign in again; the app is launched again.',
  },
  client_id_is_app_id: {
    cause: 'client_id holds the app’s id, not its client ID.',
    fix: 'Use the client ID of the app; it starts with cli_.',
  },
  client_unknown: {
    cause: 'No app has this client_id on this server.',
    fix: 'Copy the client ID from the app’s page; check production against staging.',
  },
  secret_wrong: {
    cause: 'The client secret is wrong, expired or retired.',
    fix: 'Set the current secret on the app’s server, whole and without quotes, spaces or a line break; make a new one if it is lost.',
  },
  secret_retired: {
    cause: 'The client secret was retired before this exchange.',
    fix: 'Set a live secret of the app on the app’s server; make a new one if it is lost.',
  },
  secret_expired: {
    cause: 'The client secret had expired before this exchange.',
    fix: 'Make a new secret and set it on the app’s server; retire the expired one.',
  },
  secret_of_another_app: {
    cause: 'The client secret belongs to another app than the client_id names.',
    fix: 'Set client_id and client_secret of the same app on the app’s server.',
  },
  assertion_malformed: {
    cause: 'client_assertion is not a JWT as private_key_jwt needs it.',
    fix: 'Sign it with RS256 or ES256, with iss and sub the client ID, and aud, exp and jti.',
  },
  assertion_audience: {
    cause: 'client_assertion is meant for another server: its aud is not this issuer alone.',
    fix: 'Set aud to the issuer of the metadata; check production against staging.',
  },
  assertion_expired: {
    cause: 'client_assertion has expired, begins in the future or lasts longer than 5 minutes.',
    fix: 'Make an assertion of 60 seconds for each request; check the clock of the app’s server.',
  },
  assertion_key: {
    cause: 'No registered key of the app has signed client_assertion.',
    fix: 'Register the public key of the app’s server under the kid that the assertion names.',
  },
  assertion_replayed: {
    cause: 'The jti of client_assertion was used before.',
    fix: 'Make a new assertion with a random jti for each request, also for a repeated one.',
  },
  exchange_from_page: {
    cause: 'A page in a browser sent the exchange; a client secret never belongs into a page.',
    fix: 'Exchange the code on the app’s server; this code is still good there.',
  },
  exchange_malformed: {
    cause: 'The token endpoint cannot read the exchange.',
    fix: 'Send grant_type=authorization_code, the code and one kind of client authentication, as a form or as JSON with the content type of it; this code is still good.',
  },
  code_unknown: {
    cause: 'No such authorization code exists, or a newer authorize has replaced it.',
    fix: 'Exchange the code of the last callback, once.',
  },
  code_expired: {
    cause: 'The authorization code was exchanged too late.',
    fix: 'Exchange the code right after the callback; launch the app again.',
  },
  code_replayed: {
    cause: 'The code had been exchanged before; the access token that it bought is now revoked.',
    fix: 'Exchange each code once; do not reload the callback page. Launch the app again.',
  },
  code_invalidated: {
    cause: 'The code died with an earlier failed exchange.',
    fix: 'Fix the first failure in this list, then launch the app again.',
  },
  client_mismatch: {
    cause: 'The code belongs to another app.',
    fix: 'Exchange the code with the client_id that asked for it.',
  },
  redirect_uri_mismatch: {
    cause: 'redirect_uri differs from the one of the authorize request.',
    fix: 'Send the same redirect_uri, or leave it out of the token request.',
  },
  verifier_wrong: {
    cause: 'code_verifier does not match the code_challenge of the authorize request.',
    fix: 'Send the verifier that the challenge was made from.',
  },
  verifier_missing: {
    cause: 'The authorize request had a code_challenge and the token request has no code_verifier.',
    fix: 'Send code_verifier with the exchange.',
  },
  verifier_unexpected: {
    cause: 'code_verifier was sent although the authorize request had no code_challenge.',
    fix: 'Send code_challenge to authorize, or leave code_verifier out.',
  },
  host_reported: {
    cause: 'The host could not finish the handshake with the app.',
    fix: 'Do what the cause says; docs/apps/errors.md explains each code.',
  },
} as const satisfies Record<string, Explanation>

export type Reason = keyof typeof REASONS

/**
 * Cause and fix of a stored reason. Nodes of two versions may share a database, so a row can have a
 * reason that this version does not know.
 */
export const explainReason = (reason: string): Explanation =>
  Object.hasOwn(REASONS, reason)
    ? REASONS[reason as Reason]
    : {
        cause: `Another version of the service recorded the reason "${reason}".`,
        fix: 'Bring every node to the same version, or look the reason up in its documentation.',
      }

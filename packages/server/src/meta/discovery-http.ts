// What an OAuth client reads first: the metadata of the issuer at every well-known address, and the
// public keys. Metadata names exactly what is supported (security D03).
// Spec §4.4, OpenID Connect Discovery 1.0, RFC 8414, RFC 7517, SMART App Launch 2.2.

import type { Config, HasConfig } from '../config/config.ts'
import type { OAuthCall, TextReply } from '../http/call.ts'
import { etagOf, hasAlready } from '../http/input/conditional.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { SIGNING_ALGORITHMS } from '../keys/signing-key.ts'

/** Metadata changes with a new version or configuration only. */
const METADATA_MAX_AGE_SECONDS = 300

export function buildMetadata(config: Config) {
  const at = (path: string) => `${config.baseUrl}/app-auth${path}`
  const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
  const assertionAlgorithms = ['RS256', 'ES256']
  return {
    issuer: config.issuerUrl,
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    jwks_uri: at('/.well-known/jwks.json'),
    userinfo_endpoint: at('/userinfo'),
    introspection_endpoint: at('/introspect'),
    revocation_endpoint: at('/revoke'),
    scopes_supported: ['openid', 'launch', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none'],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_supported: [
      ...['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'jti', 'nonce', 'at_hash', 'sid'],
      ...['launch_id', 'account', 'ehr_type', 'device_id', 'name', 'email', 'email_verified'],
    ],
  }
}

export async function showMetadata(service: HasConfig, call: OAuthCall): Promise<TextReply> {
  return cacheable(call, buildMetadata(service.config))
}

export async function showSmartConfiguration(
  service: HasConfig,
  call: OAuthCall,
): Promise<TextReply> {
  return cacheable(call, {
    ...buildMetadata(service.config),
    // Of an app with the launch style smart. Not sso-openid-connect: SMART means fhirUser by it. Not
    // client-confidential-asymmetric: SMART means RS384 or ES384 by it.
    capabilities: [
      ...['launch-ehr', 'authorize-post', 'client-confidential-symmetric'],
      'context-banner',
    ],
  })
}

export async function showJwks(service: HasKeys, call: OAuthCall): Promise<TextReply> {
  const { keys, maxAgeSeconds } = service.keys.published(call.now)
  return cacheable(call, { keys }, maxAgeSeconds)
}

function cacheable(
  call: OAuthCall,
  document: object,
  maxAgeSeconds = METADATA_MAX_AGE_SECONDS,
): TextReply {
  const body = JSON.stringify(document)
  const etag = etagOf(body)
  const headers = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}` }
  if (hasAlready(call.ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
}

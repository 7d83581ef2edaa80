// The client of the configured OpenID Connect provider: discovery at first use, then the authorization
// code flow with PKCE, state and nonce bound to one pre-authentication session. Knows no user of
// ours. OpenID Connect Core, RFC 9700 2.1; the library checks issuer, signature, times, nonce and auth_time.

import { isLoopbackHost } from '@chartside/protocol/oauth'
import type { Configuration } from 'openid-client'
import type { Config, HasConfig } from '../../config/config.ts'
import type { PageCall } from '../../http/call.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { Interaction } from '../interaction/interaction.ts'
import { deriveFor, type PreAuthSession } from '../interaction/pre-auth-session.ts'

/** The account of a user at the provider, by the claims of the ID token or of userinfo. */
export interface ProviderAccount {
  /** Issuer and subject, which never change. */
  readonly subject: string
  readonly email: string | undefined
  /** Only for a literal true; a provider that omits the claim has verified nothing. */
  readonly isEmailVerified: boolean
  /** `auth_time`, in milliseconds; 0 when the provider does not say. Security V27. */
  readonly authenticatedAt: number
}

const discoveries = new WeakMap<Config, Promise<Configuration>>()
const TIMEOUT_SECONDS = 5

/** @throws ApiError 503 while the provider is unreachable; the next sign-in tries again */
async function loadProvider({ config, log }: HasConfig & HasLog): Promise<Configuration> {
  const discovery = discoveries.get(config) ?? discover(config)
  discoveries.set(config, discovery)
  try {
    return await discovery
  } catch (error) {
    discoveries.delete(config)
    log.error({ err: error }, 'OpenID Connect discovery failed')
    throw unreachable(config)
  }
}

async function discover(config: Config): Promise<Configuration> {
  const client = await import('openid-client')
  const issuer = new URL(config.oidcIssuer)
  const options = {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The signature of the ID token too, although it comes from the provider by TLS. [V27]
      client.enableNonRepudiationChecks,
      // Configuration has refused http for every other host.
      ...(isLoopbackHost(issuer.hostname) ? [client.allowInsecureRequests] : []),
    ],
  }
  return client.discovery(issuer, config.oidcClientId, config.oidcClientSecret, undefined, options)
}

const redirectUriOf = (config: Config) => `${config.baseUrl}/auth/callback`

/** The authorization URL. `state` is the interaction, which only this session can redeem. */
export async function buildProviderUrl(
  service: HasConfig & HasLog,
  session: PreAuthSession,
  { id: interactionId, isAgain }: { readonly id: string; readonly isAgain: boolean },
): Promise<string> {
  const provider = await loadProvider(service)
  const client = await import('openid-client')
  const verifier = deriveFor(session, interactionId, 'verifier')
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUriOf(service.config),
    scope: 'openid email profile',
    state: interactionId,
    nonce: deriveFor(session, interactionId, 'nonce'),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isAgain ? { max_age: '0', prompt: 'login' } : {}),
  }).href
}

/** `max_age=0` was asked for; between that and the answer the user typed. */
const MAX_AGAIN_SECONDS = 600

/** Redeems the code of the callback. @throws ApiError when the provider refuses or a check fails */
export async function loadProviderAccount(
  service: HasConfig & HasLog,
  session: PreAuthSession,
  { id: interactionId, data }: Interaction<'provider'>,
  { query, now }: Pick<PageCall, 'query' | 'now'>,
): Promise<ProviderAccount> {
  const { config, log } = service
  const provider = await loadProvider(service)
  const client = await import('openid-client')
  try {
    const tokens = await client.authorizationCodeGrant(
      provider,
      new URL(`${redirectUriOf(config)}?${query}`),
      {
        pkceCodeVerifier: deriveFor(session, interactionId, 'verifier'),
        expectedNonce: deriveFor(session, interactionId, 'nonce'),
        expectedState: interactionId,
        idTokenExpected: true,
        ...(data.isAgain ? { maxAge: MAX_AGAIN_SECONDS } : {}),
      },
    )
    const claims = tokens.claims()
    if (!claims) throw new TypeError('no ID token')
    // Many providers omit the e-mail address from the ID token.
    const { email, email_verified } =
      claims.email === undefined && provider.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : claims
    return {
      subject: `${claims.iss} ${claims.sub}`,
      email: typeof email === 'string' ? email : undefined,
      isEmailVerified: email_verified === true,
      authenticatedAt: Math.min((claims.auth_time ?? 0) * 1000, now),
    }
  } catch (error) {
    log.warn(describeFailure(error), 'sign-in at the OpenID Connect provider failed')
    throw new ApiError(
      'sign_in_failed',
      `${config.oidcName} did not say who you are, or its answer does not belong to this browser.`,
    )
  }
}

/** RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6. */
const REGISTERED = new Set([
  ...['access_denied', 'account_selection_required', 'consent_required', 'interaction_required'],
  ...['invalid_client', 'invalid_grant', 'invalid_request', 'invalid_scope', 'login_required'],
  ...[
    'server_error',
    'temporarily_unavailable',
    'unauthorized_client',
    'unsupported_response_type',
  ],
])

/** Without the parameters of the callback, which any caller can write. [V11] */
function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return {}
  const { name, code, error: answered } = error as { code?: unknown; error?: unknown } & Error
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  const said = REGISTERED.has(String(answered)) ? String(answered) : undefined
  return { problem: { name, message: error.message, code, cause, answered: said } }
}

const unreachable = (config: Config) =>
  new ApiError('temporarily_unavailable', `${config.oidcName} cannot be reached now. Try again.`)

// The client of an OpenID Connect provider, of the installation or of an account: discovery at first use, then
// the authorization code flow with PKCE, state and nonce bound to one pre-authentication session. Knows no user
// of ours. OpenID Connect Core, RFC 9700 2.1 and 4.4; the library checks issuer, signature, times, nonce,
// auth_time, and the issuer of the answer (RFC 9207).

import { isLoopbackHost } from '@chartside/protocol/oauth'
import type { Configuration } from 'openid-client'
import type { Config, HasConfig } from '../../config/config.ts'
import type { BoundTo } from '../../credentials/login-method.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall } from '../../http/call.ts'
import { DEFAULT_SCOPES, redirectUriOf } from '../../identity-providers/identity-provider.ts'
import { findSignInProvider } from '../../identity-providers/identity-provider-store.ts'
import type { HasProviderFetch } from '../../identity-providers/provider-fetch.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HasLog } from '../../kernel/log.ts'
import { type LruMap, lruMap } from '../../kernel/lru-map.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { masterKeysOf, unseal } from '../../keys/master-key.ts'
import type { Interaction } from '../interaction/interaction.ts'
import { deriveFor, type PreAuthSession } from '../interaction/pre-auth-session.ts'

/** A provider at which this service is a client. */
export interface Provider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scopes: string
  readonly authorizeParams: Readonly<Record<string, string>>
  readonly redirectUri: string
  /** The reach and the last change of a provider; only a provider of an account has them. */
  readonly of?: BoundTo & { readonly accountName: string; readonly updatedAt: number }
}

/** The account of a user at the provider, by the claims of the ID token or of userinfo. */
export interface ProviderAccount {
  /** The issuer and the subject, which never change; before them the provider, when it is an account's. */
  readonly subject: string
  readonly email: string | undefined
  /** The value is true only for a literal true; a provider that omits the claim has verified nothing. */
  readonly isEmailVerified: boolean
  /** The provider says that the address is not verified; most say nothing. */
  readonly isEmailRefuted: boolean
  /** The claim `hd` of Google: the organization whose account it is. */
  readonly hostedDomain: string | undefined
  readonly name: string | undefined
  /** The record of the person at an EHR, such as `Practitioner/123`; shown, and never relied upon. */
  readonly fhirUser: string | undefined
  /** The claim `auth_time`, in milliseconds; 0 when the provider does not say. Security V27. */
  readonly authenticatedAt: number
}

export type Parts = HasConfig & HasDatabase & HasLog & HasProviderFetch & HasRandomness

/** The provider of the installation, or the one of an account with this id; undefined when there is none. */
export async function findProvider(
  { config, db, randomness }: Pick<Parts, 'config' | 'db' | 'randomness'>,
  id: string | undefined,
): Promise<Provider | undefined> {
  if (id === undefined) return config.oidcIssuer === '' ? undefined : providerOf(config)
  const found = await findSignInProvider(db, id)
  if (!found) return undefined
  const { name, issuer, clientId, scopes, authorizeParams, sealedSecret } = found
  const { accountId, accountName, updatedAt } = found
  const secret = sealedSecret && unseal(masterKeysOf(config, randomness), id, sealedSecret)
  return {
    ...{ name, issuer, clientId, scopes, authorizeParams },
    clientSecret: secret ? secret.toString() : undefined,
    redirectUri: redirectUriOf(config.baseUrl, id),
    of: { providerId: id, issuer, accountId, accountName, updatedAt },
  }
}

const providerOf = (config: Config): Provider => ({
  name: config.oidcName,
  issuer: config.oidcIssuer,
  clientId: config.oidcClientId,
  clientSecret: config.oidcClientSecret,
  scopes: DEFAULT_SCOPES,
  authorizeParams: {},
  redirectUri: `${config.baseUrl}/auth/callback`,
})

interface Discovery {
  readonly at: number
  readonly found: Promise<Configuration>
}

const discoveries = new WeakMap<Config, LruMap<Discovery>>()
/** A provider may change its endpoints; its keys are read again when one is unknown. */
const KEPT_MS = 60 * 60_000
const MAX_KEPT = 500
const TIMEOUT_SECONDS = 5

/** @throws ApiError 503 while the provider is unreachable; the next sign-in tries again */
export async function loadClient(
  service: Parts,
  provider: Provider,
  now: number,
): Promise<Configuration> {
  const { config, log } = service
  const kept = discoveries.get(config) ?? lruMap<Discovery>(MAX_KEPT)
  discoveries.set(config, kept)
  const key = provider.of ? `${provider.of.providerId} ${provider.of.updatedAt}` : ''
  const known = kept.get(key)
  const discovery =
    known && now - known.at < KEPT_MS ? known : { at: now, found: discover(service, provider) }
  kept.set(key, discovery)
  try {
    return await discovery.found
  } catch (error) {
    if (kept.get(key) === discovery) kept.set(key, { ...discovery, at: 0 })
    const from = provider.of?.providerId ?? 'installation'
    log.error({ err: error, provider: from }, 'OpenID Connect discovery failed')
    throw new ApiError(
      'temporarily_unavailable',
      `${provider.name} cannot be reached now. Try again.`,
    )
  }
}

/** @throws an error of the library or of the request */
export async function discover(
  { providerFetch }: HasProviderFetch,
  { issuer, clientId, clientSecret, of }: Provider,
): Promise<Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  const options = {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The signature of the ID token too, although it comes from the provider by TLS. [V27]
      client.enableNonRepudiationChecks,
      // Configuration has refused http for every other host.
      ...(isLoopbackHost(url.hostname) ? [client.allowInsecureRequests] : []),
    ],
    // The operator chose the installation's provider, which may be in a network of its own.
    ...(of ? { [client.customFetch]: providerFetch } : {}),
  }
  const authentication = clientSecret === undefined ? client.None() : undefined
  return client.discovery(url, clientId, clientSecret, authentication, options)
}

/** The authorization URL. `state` is the interaction, which only this session can redeem. */
export async function buildProviderUrl(
  service: Parts,
  provider: Provider,
  session: PreAuthSession,
  {
    id: interactionId,
    isAgain,
    now,
  }: { readonly id: string; readonly isAgain: boolean; readonly now: number },
): Promise<string> {
  const configuration = await loadClient(service, provider, now)
  const client = await import('openid-client')
  const verifier = deriveFor(session, interactionId, 'verifier')
  return client.buildAuthorizationUrl(configuration, {
    ...provider.authorizeParams,
    redirect_uri: provider.redirectUri,
    scope: provider.scopes,
    state: interactionId,
    nonce: deriveFor(session, interactionId, 'nonce'),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isAgain ? { max_age: '0', prompt: 'login' } : {}),
  }).href
}

/** The limit is for `max_age=0`: between that request and the answer the user typed. */
const MAX_AGAIN_SECONDS = 600

/** Redeems the code of the callback. @throws ApiError when the provider refuses or a check fails */
export async function loadProviderAccount(
  service: Parts,
  provider: Provider,
  session: PreAuthSession,
  { id: interactionId, data }: Interaction<'provider'>,
  { query, now }: Pick<PageCall, 'query' | 'now'>,
): Promise<ProviderAccount> {
  const configuration = await loadClient(service, provider, now)
  const client = await import('openid-client')
  try {
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(`${provider.redirectUri}?${query}`),
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
    // Many providers omit the e-mail address from the ID token. An EHR that was not asked for it has none.
    const mayKnow = provider.scopes
      .split(' ')
      .some((scope) => scope === 'email' || scope === 'profile')
    const { email, email_verified, name } =
      claims.email === undefined && mayKnow && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims
    const account = `${claims.iss} ${claims.sub}`
    return {
      subject: provider.of ? `${provider.of.providerId} ${account}` : account,
      email: textOf(email),
      isEmailVerified: email_verified === true,
      isEmailRefuted: email_verified !== undefined && email_verified !== true,
      hostedDomain: textOf(claims.hd),
      name: textOf(name),
      fhirUser: FHIR_USER.exec(textOf(claims.fhirUser) ?? '')?.[1],
      authenticatedAt: Math.min((claims.auth_time ?? 0) * 1000, now),
    }
  } catch (error) {
    service.log.warn(describeFailure(error), 'sign-in at the OpenID Connect provider failed')
    throw new ApiError(
      'sign_in_failed',
      `${provider.name} did not say who you are, or its answer does not belong to this browser.`,
    )
  }
}

/** The reference at the end of an absolute or relative address. SMART App Launch, FHIR R4 2.3.0.1. */
const FHIR_USER = /(?:^|\/)([A-Z][A-Za-z]{2,30}\/[A-Za-z0-9.-]{1,64})$/

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined

/** The registered error codes (RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6). */
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

/** Describes an error without the parameters of the callback, which any caller can write. [V11] */
function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return {}
  const { name, code, error: answered } = error as { code?: unknown; error?: unknown } & Error
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  const said = REGISTERED.has(String(answered)) ? String(answered) : undefined
  return { problem: { name, message: error.message, code, cause, answered: said } }
}

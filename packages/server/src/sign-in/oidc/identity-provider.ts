// The configured OpenID Connect provider: found by discovery when somebody first needs it, asked with
// PKCE, state and nonce that only one browser can come back with. Knows no user of ours. OpenID
// Connect Core, RFC 9700 2.1; the library checks issuer, signature, times, nonce and state.
import { isLoopbackHost } from '@chartside/protocol/oauth'
import type { Configuration } from 'openid-client'
import type { Config } from '../../config/config.ts'
import { EMPTY_HTML, type Html, html } from '../../http/html/page.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Service } from '../../service.ts'
import { type Browser, deriveFor } from '../interaction/pre-auth-session.ts'

/** Who somebody is, as their provider says. */
export interface ProviderAccount {
  /** Issuer and subject: what never changes. */
  readonly subject: string
  readonly email: string | undefined
  /** Literally true; a provider that says nothing has verified nothing. */
  readonly isEmailVerified: boolean
}

export const hasProvider = (config: Config): boolean => config.oidcIssuer !== ''

/** A link, not a form: browsers hold the policy for forms against every redirect that follows. */
export const providerLink = (
  config: Config,
  fields: Readonly<Record<string, string>>,
  verb: string,
): Html =>
  hasProvider(config)
    ? html`<a class="button second" id="provider" href="${config.baseUrl}/auth/sign-in/provider?${new URLSearchParams(fields).toString()}">${verb} ${config.oidcName}</a>`
    : EMPTY_HTML

const found = new WeakMap<Config, Promise<Configuration>>()
const TIMEOUT_SECONDS = 5

/** @throws ApiError 503 while the provider cannot be reached; the next person tries again. */
async function loadProvider({ config, log }: Service): Promise<Configuration> {
  const known = found.get(config) ?? discover(config)
  found.set(config, known)
  try {
    return await known
  } catch (error) {
    found.delete(config)
    log.error({ err: error }, 'the OpenID Connect provider cannot be used')
    throw unreachable(config)
  }
}

async function discover(config: Config): Promise<Configuration> {
  const client = await import('openid-client')
  const issuer = new URL(config.oidcIssuer)
  const options = {
    timeout: TIMEOUT_SECONDS,
    // Configuration has refused http for every other host.
    ...(isLoopbackHost(issuer.hostname) ? { execute: [client.allowInsecureRequests] } : {}),
  }
  return client.discovery(issuer, config.oidcClientId, config.oidcClientSecret, undefined, options)
}

const redirectUriOf = (config: Config) => `${config.baseUrl}/auth/callback`

/** Where the browser goes. The step is the state; it works in this browser only. */
export async function buildProviderUrl(
  service: Service,
  browser: Browser,
  stepId: string,
): Promise<string> {
  const provider = await loadProvider(service)
  const client = await import('openid-client')
  const verifier = deriveFor(browser, stepId, 'verifier')
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUriOf(service.config),
    scope: 'openid email profile',
    state: stepId,
    nonce: deriveFor(browser, stepId, 'nonce'),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** Whom the provider has sent back. @throws ApiError when it says no, or something does not fit. */
export async function loadProviderAccount(
  service: Service,
  browser: Browser,
  stepId: string,
  query: string,
): Promise<ProviderAccount> {
  const { config, log } = service
  const provider = await loadProvider(service)
  const client = await import('openid-client')
  try {
    const tokens = await client.authorizationCodeGrant(
      provider,
      new URL(`${redirectUriOf(config)}?${query}`),
      {
        pkceCodeVerifier: deriveFor(browser, stepId, 'verifier'),
        expectedNonce: deriveFor(browser, stepId, 'nonce'),
        expectedState: stepId,
        idTokenExpected: true,
      },
    )
    const claims = tokens.claims()
    if (!claims) throw new TypeError('no ID token')
    // Many providers keep the address out of the ID token.
    const { email, email_verified } =
      claims.email === undefined && provider.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : claims
    return {
      subject: `${claims.iss} ${claims.sub}`,
      email: typeof email === 'string' ? email : undefined,
      isEmailVerified: email_verified === true,
    }
  } catch (error) {
    log.warn({ err: error }, 'sign-in at the provider refused')
    throw new ApiError(
      'sign_in_failed',
      `${config.oidcName} did not say who you are, or its answer does not belong to this browser.`,
    )
  }
}

const unreachable = (config: Config) =>
  new ApiError('temporarily_unavailable', `${config.oidcName} cannot be reached now. Try again.`)

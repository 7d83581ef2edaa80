// The JWT by which an identity provider proves that a revocation request is its own: signed with the keys that
// sign its ID tokens, for this address and this client. The library checks signature, names and times; each
// JWT counts once. Okta's description of Universal Logout, RFC 8725 3.11; decision 82, security V27.
import type { FetchImplementation, JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'
import { RETRY_AFTER } from '../../http/replies.ts'
import { revocationUriOf } from '../../identity-providers/identity-provider.ts'
import { ApiError, OAuthError } from '../../kernel/errors.ts'
import { redeemJwt } from '../../keys/used-jwt-store.ts'
import { loadClient, type Parts, type Provider } from './identity-provider.ts'

/** A compact JWS; nothing else makes this service ask the provider for its keys. */
const COMPACT = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i
const TYPE = 'global-token-revocation+jwt'
/** The algorithms with which identity providers sign ID tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
const CLOCK_SKEW_SECONDS = 60
/** The tokens of Okta last for five minutes; a longer one would have to be remembered for longer. */
const MAX_AGE_SECONDS = 600

export interface AccountProvider extends Provider {
  readonly of: NonNullable<Provider['of']>
}

/** @throws OAuthError invalid_token, 503 while the provider is unreachable */
export async function redeemRevocationToken(
  service: Parts,
  provider: AccountProvider,
  authorization: string | undefined,
  now: number,
): Promise<void> {
  const [, jwt] = COMPACT.exec(authorization ?? '') ?? []
  if (jwt === undefined) throw invalidRevocationToken()
  const keys = await loadKeys(service, provider, now)
  const { jti, exp } = await verify(service, provider, { jwt, keys, now })
  const { providerId } = provider.of
  const expiresAt = (Number(exp) + CLOCK_SKEW_SECONDS) * 1000
  if (!(await redeemJwt(service.db, { signedBy: providerId, jti: String(jti), expiresAt }))) {
    throw invalidRevocationToken()
  }
}

async function verify(
  { config, log }: Parts,
  { issuer, clientId, name, of }: AccountProvider,
  {
    jwt,
    keys,
    now,
  }: { readonly jwt: string; readonly keys: JWTVerifyGetKey; readonly now: number },
): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(jwt, keys, {
      ...{ typ: TYPE, algorithms: ALGORITHMS, issuer, subject: clientId },
      audience: revocationUriOf(config.baseUrl, of.providerId),
      ...{ requiredClaims: ['jti', 'exp'], maxTokenAge: MAX_AGE_SECONDS },
      ...{ clockTolerance: CLOCK_SKEW_SECONDS, currentDate: new Date(now) },
    })
    return payload
  } catch (error) {
    const { code, claim } = error as { readonly code?: string; readonly claim?: string }
    log.warn({ provider: of.providerId, code, claim }, 'revocation request not verified')
    if (error instanceof errors.JOSEError && !UNREAD.has(error.code)) throw invalidRevocationToken()
    throw unreachable(name)
  }
}

/** The keys of the provider could not be read. */
const UNREAD: ReadonlySet<string> = new Set([
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  'ERR_JOSE_GENERIC',
])

const unreachable = (name: string) =>
  new OAuthError('temporarily_unavailable', `${name} cannot be reached now. Try again.`, {
    ...{ status: 503, headers: RETRY_AFTER },
  })

export const invalidRevocationToken = () =>
  new OAuthError(
    'invalid_token',
    `Send a JWT of the type ${TYPE} that the identity provider of this address has signed, with this address as aud and its client ID as sub. Each one counts once.`,
    { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  )

const keysOf = new WeakMap<Configuration, JWTVerifyGetKey>()

/** The keys that the provider publishes; kept as long as its discovery document. */
async function loadKeys(
  service: Parts,
  provider: AccountProvider,
  now: number,
): Promise<JWTVerifyGetKey> {
  const configuration = await loadClient(service, provider, now).catch((error: unknown) => {
    if (error instanceof ApiError) throw unreachable(provider.name)
    throw error
  })
  const known = keysOf.get(configuration)
  if (known) return known
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const { jwks_uri: url } = configuration.serverMetadata()
  if (url === undefined) throw invalidRevocationToken()
  const fetch: FetchImplementation = (address, { headers, ...asked }) =>
    service.providerFetch(address, {
      ...asked,
      body: undefined,
      headers: Object.fromEntries(headers),
    })
  const keys = createRemoteJWKSet(new URL(url), { [customFetch]: fetch })
  keysOf.set(configuration, keys)
  return keys
}

// The whole of OAuth in this app, by openid-client: discovery, the authorize request with state,
// nonce and PKCE, the exchange, and the checks on the ID token. Keeps no token.
// Spec §4.1, §4.2, §5.1, §5.4; RFC 7636, RFC 9207.
import * as client from 'openid-client'
import { serviceUnreachable } from './oauth-problem.ts'

export interface OAuthSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly tokenUrl: string
}

/** The values that the browser keeps between authorize and callback, in an httpOnly cookie. */
export interface Pending {
  readonly csrf: string
  readonly codeVerifier: string
  readonly nonce: string
}

/** The person who launched the app, by the verified ID token. */
export interface Person {
  readonly userId: string
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

export interface SdkScript {
  readonly url: string
  readonly integrity: string
}

export type OAuth = ReturnType<typeof createOAuth>

export function createOAuth(settings: OAuthSettings) {
  let configuration: Promise<client.Configuration> | undefined
  let script: Promise<SdkScript> | undefined

  /** Discovers the service once; a failure is not kept. */
  const configure = (): Promise<client.Configuration> => {
    configuration ??= discover(settings).catch((error: unknown) => {
      configuration = undefined
      throw error
    })
    return configuration
  }

  return {
    /** The authorize URL, and the values that the browser keeps until the callback. */
    async begin(launchId: string, redirectUri: string) {
      const pending: Pending = {
        csrf: client.randomState(),
        codeVerifier: client.randomPKCECodeVerifier(),
        nonce: client.randomNonce(),
      }
      const url = client.buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'launch openid profile',
        launch: launchId,
        state: `${launchId}:${pending.csrf}`,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, pending }
    },

    /** Exchanges the code of a callback after every check; a code works once. */
    async finish(launchId: string, pending: Pending, callbackUrl: URL) {
      const reply = await client.authorizationCodeGrant(await configure(), callbackUrl, {
        expectedState: `${launchId}:${pending.csrf}`,
        pkceCodeVerifier: pending.codeVerifier,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      })
      return {
        tokens: { access_token: reply.access_token, id_token: reply.id_token ?? '' },
        person: readPerson(reply.claims() ?? {}),
      }
    },

    /** The current SDK script with its hash, for a script tag (spec §5.5). @throws Problem */
    sdkScript(): Promise<SdkScript> {
      script ??= loadSdkScript(settings.baseUrl).catch((error: unknown) => {
        script = undefined
        throw error
      })
      return script
    },
  }
}

async function loadSdkScript(baseUrl: string): Promise<SdkScript> {
  const address = `${baseUrl}/sdk/manifest.json`
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined)
  if (!response?.ok) {
    throw serviceUnreachable(`${address} answered ${response?.status ?? 'nothing'}.`)
  }
  const manifest: unknown = await response.json().catch(() => null)
  const { url, integrity } = (manifest ?? {}) as Partial<SdkScript>
  if (typeof url === 'string' && typeof integrity === 'string') return { url, integrity }
  throw serviceUnreachable(`${address} names no SDK script.`)
}

async function discover(settings: OAuthSettings): Promise<client.Configuration> {
  const { clientId, clientSecret, baseUrl, tokenUrl } = settings
  const insecure = baseUrl.startsWith('http:') ? [client.allowInsecureRequests] : []
  const found = await client.discovery(
    new URL(`${baseUrl}/app-auth`),
    clientId,
    undefined,
    undefined,
    { execute: insecure },
  )
  const metadata: client.ServerMetadata = Object.assign(found.serverMetadata(), {
    token_endpoint: tokenUrl,
  })
  const config = new client.Configuration(metadata, clientId, {
    client_secret: clientSecret,
    // The only accepted algorithm; the token's header does not choose (spec §5.4).
    id_token_signed_response_alg: 'RS256',
  })
  for (const allow of insecure) allow(config)
  // The library trusts TLS for tokens from the token endpoint; §5.4 requires the signature check.
  client.enableNonRepudiationChecks(config)
  config.timeout = 10
  return config
}

function readPerson(claims: Readonly<Record<string, unknown>>): Person {
  const account = (claims.account ?? {}) as { name?: unknown }
  return {
    userId: String(claims.sub),
    name: String(claims.name ?? claims.sub),
    practice: String(account.name ?? 'Unknown practice'),
    ehrType: String(claims.ehr_type ?? ''),
  }
}

// The options of createAppKit, checked once, at start and not at the first launch. Derives the
// addresses of spec §4 from baseUrl. Never prints the secret.
import { type ClientKey, requireClientKey } from './client-assertion.ts'
import { createMemoryReplayStore, type ReplayStore } from './replay-store.ts'
import {
  requireAlg,
  requireOrigins,
  requireRange,
  requireText,
  requireUrl,
  type SignedResponseAlg,
} from './require-option.ts'

/** Required options may come directly from the environment: undefined is refused by name. */
export interface AppKitOptions {
  /** The `{base_url}` of the service, without `/app-auth`. */
  readonly baseUrl: string | undefined
  /** The client ID (`cli_…`), not the app's id. */
  readonly clientId: string | undefined
  /** Stays on this server. Not needed with `clientKey`. */
  readonly clientSecret?: string | undefined
  /** A private key whose public half is registered, in place of the secret. */
  readonly clientKey?: ClientKey
  /** The `{issuer_url}`, to the byte. Default `{baseUrl}/app-auth`. */
  readonly issuer?: string
  /** Default `{baseUrl}/app-auth/token`. */
  readonly tokenUrl?: string
  /** Default `{baseUrl}/app-auth/.well-known/jwks.json`. */
  readonly jwksUri?: string
  /**
   * The algorithm that the app is registered with for its ID tokens; no other is taken. Default `RS256`.
   * OpenID Connect Dynamic Client Registration 1.0, 2.
   */
  readonly idTokenSignedResponseAlg?: SignedResponseAlg | undefined
  /** The accepted clock difference, 0 to 60. Default 30. */
  readonly clockToleranceSeconds?: number
  /** The ID tokens that were accepted. Default: in memory of this process. */
  readonly replays?: ReplayStore | 'off'
  /** Origins of other pages that may call `handleTokenRequest`, such as `https://app.example`. Default none. */
  readonly allowedOrigins?: readonly string[]
  /** The milliseconds that one exchange may take. Default and maximum 10,000. */
  readonly exchangeTimeoutMs?: number
  /** Gets one line with the reason of a failed token request; never a code, a token or the secret. */
  readonly log?: (line: string) => void
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Allows http to another machine for the secret. Never in production. */
  readonly dangerouslyAllowHttp?: boolean
}

/** The credential by which this app authenticates: one of the two. */
export type Credential = { readonly secret: string } | { readonly key: ClientKey }

export interface Settings {
  readonly baseUrl: string
  readonly clientId: string
  readonly credential: Credential
  readonly issuer: string
  readonly tokenUrl: string
  readonly jwksUri: string
  readonly alg: SignedResponseAlg
  readonly toleranceSeconds: number
  readonly replays: ReplayStore | undefined
  readonly allowedOrigins: readonly string[]
  readonly timeoutMs: number
  readonly log: (line: string) => void
  readonly fetch: typeof fetch
  readonly now: () => number
}

const MAX_TIMEOUT_MS = 10_000

/** @throws TypeError that names the option and the fix */
export function parseOptions(options: AppKitOptions): Settings {
  const insecure = options.dangerouslyAllowHttp === true
  const baseUrl = requireUrl('createAppKit: baseUrl', options.baseUrl, insecure).replace(/\/+$/, '')
  const now = options.now ?? (() => Date.now())
  const { replays = createMemoryReplayStore(now) } = options
  return {
    baseUrl,
    clientId: requireClientId(options.clientId),
    credential: requireCredential(options),
    issuer: options.issuer ?? `${baseUrl}/app-auth`,
    tokenUrl: requireUrl(
      'createAppKit: tokenUrl',
      options.tokenUrl ?? `${baseUrl}/app-auth/token`,
      insecure,
    ),
    jwksUri: requireUrl(
      'createAppKit: jwksUri',
      options.jwksUri ?? `${baseUrl}/app-auth/.well-known/jwks.json`,
      insecure,
    ),
    alg: requireAlg('createAppKit: idTokenSignedResponseAlg', options.idTokenSignedResponseAlg),
    toleranceSeconds: requireRange(
      'createAppKit: clockToleranceSeconds',
      options.clockToleranceSeconds ?? 30,
      60,
    ),
    replays: replays === 'off' ? undefined : replays,
    allowedOrigins: requireOrigins('createAppKit: allowedOrigins', options.allowedOrigins),
    timeoutMs: requireRange(
      'createAppKit: exchangeTimeoutMs',
      options.exchangeTimeoutMs ?? MAX_TIMEOUT_MS,
      MAX_TIMEOUT_MS,
    ),
    log: options.log ?? (() => {}),
    // Looked up at each call, so that a test or a tracer may replace it.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now,
  }
}

function requireCredential({ clientSecret, clientKey }: AppKitOptions): Credential {
  if (clientKey === undefined) {
    return { secret: requireSecret(clientSecret) }
  }
  if (clientSecret === undefined) return { key: requireClientKey(clientKey) }
  throw new TypeError('createAppKit: clientSecret and clientKey are two ways to one end. Use one.')
}

/** Refuses white space at the ends: a text that is read from a file ends with a line break, which counts. */
function requireSecret(value: unknown): string {
  const secret = requireText('createAppKit: clientSecret', value)
  if (secret.trim() === secret) return secret
  throw new TypeError(
    'createAppKit: clientSecret has a space or a line break at its start or end. Trim it where it is read.',
  )
}

function requireClientId(value: unknown): string {
  const clientId = requireText('createAppKit: clientId', value)
  if (!clientId.startsWith('app_')) return clientId
  throw new TypeError("createAppKit: clientId is the app's id. Its client ID begins with cli_.")
}

// Wires the server half for one registered app: exchange, token endpoint, verification and the
// documents of the service. Holds no rule; runs on web-standard globals only: Node, Deno, Bun and
// Workers. Contract §6.
import { createCachedDocument } from './cached-document.ts'
import { loadManifest, loadMetadata, type SdkManifest, type ServiceMetadata } from './discovery.ts'
import { type ExchangeOptions, exchangeCode, type Tokens } from './exchange.ts'
import { type IdTokenExpectations, verify } from './id-token.ts'
import { createKeySet } from './key-set.ts'
import type { LaunchIdentity } from './launch-identity.ts'
import { type AppKitOptions, parseOptions } from './settings.ts'
import { handleTokenRequest } from './token-endpoint.ts'

export interface AppKit {
  readonly baseUrl: string
  readonly clientId: string
  readonly issuer: string
  /**
   * Exchanges a code for tokens, once (option 1; spec §4.2, §5.1). `code` is unchecked, as the page sent it.
   * @throws ExchangeError; with status 400 when `code` is not a text
   */
  exchange(code: unknown, options?: ExchangeOptions): Promise<Tokens>
  /** Answers as the registered token endpoint (option 2; spec §4.3). Always answers, never throws. */
  handleTokenRequest(request: Request): Promise<Response>
  /**
   * Verifies an ID token and returns the identity of the launch (spec §5.4). A token is accepted once: start
   * your own session from it.
   * @throws IdTokenError; also when the token is missing or no text
   */
  verifyIdToken(idToken: unknown, expected?: IdTokenExpectations): Promise<LaunchIdentity>
  /**
   * Loads the service's metadata, cached for five minutes; refused when it names another issuer.
   * @throws ServiceError `service_unreachable`, `service_misdescribed`
   */
  discover(): Promise<ServiceMetadata>
  /**
   * Loads address and integrity hash of the SDK script, cached for five minutes.
   * @throws ServiceError `service_unreachable`, `service_misdescribed`
   */
  loadSdkManifest(): Promise<SdkManifest>
}

/** The upper bound for the time until a withdrawn key is refused here. */
const KEYS_MAX_AGE_MS = 300_000
const COOLDOWN_MS = 30_000

/**
 * Creates what the server of an app needs of the service: the exchange, the token endpoint, the checks on an
 * ID token. Its functions reject with ExchangeError, IdTokenError and ServiceError. Spec §4.2-§4.4, §5.4.
 * @throws TypeError when an option is missing or wrong
 * @example const kit = createAppKit({ baseUrl, clientId, clientSecret: process.env.CLIENT_SECRET })
 */
export function createAppKit(options: AppKitOptions): AppKit {
  const settings = parseOptions(options)
  const { baseUrl, clientId, issuer, now, fetch: fetchFrom } = settings
  const rules = { maxAgeMs: KEYS_MAX_AGE_MS, cooldownMs: COOLDOWN_MS, now }
  const keys = createKeySet(settings.jwksUri, settings.alg, fetchFrom, rules)
  const metadata = createCachedDocument(() => loadMetadata(baseUrl, issuer, fetchFrom), rules)
  const manifest = createCachedDocument(() => loadManifest(baseUrl, fetchFrom), rules)

  const exchange = (code: unknown, exchangeOptions: ExchangeOptions = {}) =>
    exchangeCode(code, exchangeOptions, settings)
  const { allowedOrigins, log } = settings
  return {
    baseUrl,
    clientId,
    issuer,
    exchange,
    handleTokenRequest: (request) => handleTokenRequest(request, { exchange, allowedOrigins, log }),
    verifyIdToken: (idToken, expected = {}) => verify(idToken, expected, { ...settings, keys }),
    discover: metadata.get,
    loadSdkManifest: manifest.get,
  }
}

// The Launch URL's page: reads `launch_id`, stores a CSRF value for this tab and sends the frame to
// authorize. Makes no request; the code arrives on the callback page. Spec §2.1, §2.2, §4.1.
import { AppKitError } from './errors.ts'
import { type Page, thisPage } from './page.ts'
import { reporting } from './report-failure.ts'
import { buildState, hashText, mintRandom, storeLaunch } from './state.ts'

export interface LaunchOptions {
  /** The app's OAuth client ID (`cli_…`), not the app's id. */
  readonly clientId: string
  /** The `{base_url}` of the service, without `/app-auth`. */
  readonly baseUrl: string
  /** The address exactly as it is registered. */
  readonly redirectUri: string
  /** Default `launch openid`. Add `profile` or `email` to see them in the ID token. */
  readonly scope?: string
  /** True sends an S256 challenge; `readCallback` then returns the `codeVerifier`. Default false. */
  readonly pkce?: boolean
  /** The value that the ID token returns; `verifyIdToken(token, { nonce })` compares it. */
  readonly nonce?: string
  /**
   * Binds the ID token to this tab: the nonce is the hash of a secret of the tab, which
   * `readCallback` returns as `nonceProof` and `verifyIdToken(token, { nonceProof })` compares
   * (OpenID Connect Core 15.5.2). Takes the place of `nonce`. Default false.
   */
  readonly bindIdToken?: boolean
  /** The issuer that the callback must name. Default `{baseUrl}/app-auth`. */
  readonly issuer?: string
}

export interface AuthorizeRequest {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
  readonly launchId: string
  /** The text `<launch_id>:<csrf>` (spec §2.2). */
  readonly state: string
  readonly scope?: string
  readonly nonce?: string
  /** The challenge by S256; there is no other method. */
  readonly codeChallenge?: string
}

/**
 * Builds the authorize URL of spec §4.1, for apps that keep their own `state`.
 * @throws TypeError when `baseUrl` is not a URL
 * @example location.replace(buildAuthorizeUrl({ clientId, baseUrl, redirectUri, scope, launchId, state }))
 */
export function buildAuthorizeUrl(request: AuthorizeRequest): string {
  const url = new URL(`${trimSlashes(request.baseUrl)}/app-auth/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: request.clientId,
    launch: request.launchId,
    scope: request.scope ?? 'launch openid',
    redirect_uri: request.redirectUri,
    state: request.state,
    ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
    ...(request.codeChallenge === undefined
      ? {}
      : { code_challenge: request.codeChallenge, code_challenge_method: 'S256' }),
  }).toString()
  return url.href
}

const startedLaunches = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Navigates to authorize with the `launch_id` of this page's address. Resolves once the navigation
 * has started; two calls (React's StrictMode) start one launch. Spec §2.2, §4.1.
 * @throws AppKitError missing_launch_id, storage_unavailable, crypto_unavailable
 * @example await beginLaunch({ clientId, baseUrl, redirectUri, scope: 'launch openid profile', pkce: true })
 */
export function beginLaunch(options: LaunchOptions, page: Page = thisPage()): Promise<void> {
  const launchId = new URLSearchParams(page.location.search).get('launch_id') ?? ''
  const launches = startedLaunches.get(page) ?? new Map<string, Promise<void>>()
  startedLaunches.set(page, launches)
  const running = launches.get(launchId) ?? reporting(page, goToAuthorize(launchId, options, page))
  launches.set(launchId, running)
  return running
}

async function goToAuthorize(launchId: string, options: LaunchOptions, page: Page): Promise<void> {
  requireLaunchId(launchId)
  const csrf = mintRandom()
  const issuer = options.issuer ?? `${trimSlashes(options.baseUrl)}/app-auth`
  const codeVerifier = options.pkce ? mintRandom() : undefined
  const codeChallenge = codeVerifier && (await hashText(codeVerifier))
  const nonceProof = options.bindIdToken ? mintRandom() : undefined
  const nonce = nonceProof ? await hashText(nonceProof) : options.nonce
  storeLaunch(page, launchId, {
    ...{ csrf, issuer },
    ...(codeVerifier ? { codeVerifier } : {}),
    ...(nonceProof ? { nonceProof } : {}),
  })
  const url = buildAuthorizeUrl({
    clientId: options.clientId,
    baseUrl: options.baseUrl,
    redirectUri: options.redirectUri,
    launchId,
    state: buildState(launchId, csrf),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
  })
  // The launch page leaves no history entry: "Back" would use the launch again.
  page.location.replace(url)
}

/** @throws AppKitError missing_launch_id */
export function requireLaunchId(launchId: string): void {
  if (launchId !== '' && !launchId.includes(':')) return
  throw new AppKitError('missing_launch_id', 'The Launch URL was opened without a launch_id.', {
    fix: 'Open the app from the panel beside the chart, which adds one for every launch.',
  })
}

const trimSlashes = (url: string): string => url.replace(/\/+$/, '')

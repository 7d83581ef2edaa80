// The page's part of a launch, for each token option: `begin…` on the Launch URL, `open…` on the
// callback. The app's own session begins only once the SDK is ready: a launch that is opened outside
// its own panel leaves none. Keeps tokens in memory only. Spec §2.2, §5.1-§5.3, §5.6; security V20.
import type { PageSettings } from '../../server/app-settings.ts'
import { beginLaunch } from '../begin-launch.ts'
import { readCallback } from '../callback.ts'
import { postOnce } from '../own-server.ts'
import { rememberLaunch, takeLaunch } from '../provider-launch.ts'
import { type AppSession, createSession } from '../session.ts'
import { failAtProvider } from './provider-error.ts'

/** The type of `initServiceSDK` and `initWorkerServiceSDK` of @chartside/sdk. */
export type InitSDK<SDK> = (options: {
  readonly baseUrl: string
  readonly code?: string
  readonly accessToken?: string
  readonly idToken?: string
}) => Promise<SDK>

/** The part of the SDK from which option 2 takes the ID token. */
export interface IdTokenSDK {
  readonly sessionContext: { getIdToken(): Promise<{ readonly idToken: string }> } | null
}

export interface OpenedLaunch<SDK> {
  readonly session: AppSession
  /** The SDK for the events and the session context of the launch. */
  readonly sdk: SDK
}

/**
 * Reads the settings that the server gave to `buildLaunchPage`. Spec §5.5.
 * @throws SyntaxError when `data-settings` is not JSON
 * @example const { baseUrl } = readPageSettings()
 */
export const readPageSettings = <Settings = PageSettings>(): Settings =>
  JSON.parse(document.body.dataset.settings ?? '{}') as Settings

const SCOPE = 'launch openid profile'

/**
 * Begins a launch of option 1: the browser goes to authorize, with PKCE. Spec §2.2, §4.1.
 * @throws AppKitError of `beginLaunch`: missing_launch_id, storage_unavailable, crypto_unavailable
 * @example runLaunchPage(beginForExchange)
 */
export const beginForExchange = (): Promise<void> => begin({ pkce: true })

/**
 * Begins a launch of option 2: the browser goes to authorize, without PKCE, because the SDK sends the
 * code alone. Spec §2.2, §4.3.
 * @throws AppKitError of `beginLaunch`: missing_launch_id, storage_unavailable, crypto_unavailable
 * @example runLaunchPage(beginForTokenEndpoint)
 */
export const beginForTokenEndpoint = (): Promise<void> => begin({})

async function begin(proof: { readonly pkce?: true }): Promise<void> {
  const { clientId = '', baseUrl, redirectUri = '' } = readPageSettings()
  await beginLaunch({ clientId, baseUrl, redirectUri, scope: SCOPE, bindIdToken: true, ...proof })
}

/**
 * Begins a launch of option 3: the browser goes to the provider's sign-in. Spec §5.3 rule 1.
 * @throws AppKitError of `rememberLaunch`: missing_launch_id, storage_unavailable
 * @example runLaunchPage(beginAtProvider)
 */
export async function beginAtProvider(): Promise<void> {
  const launch = new URLSearchParams({ launch_id: rememberLaunch() })
  location.replace(`${readPageSettings().providerUrl}/sign-in?${launch}`)
}

/**
 * Opens a launch of option 1: checks the callback, lets the app's server exchange the code, passes the
 * tokens to the SDK, and begins the app's own session once the SDK is ready. Spec §5.1, §5.6.
 * @throws AppKitError of `readCallback`, `postOnce` and `session.start`; ServiceSDKError of `init`
 * @example const { session, sdk } = await openByExchange(initServiceSDK)
 */
export async function openByExchange<SDK>(init: InitSDK<SDK>): Promise<OpenedLaunch<SDK>> {
  const { baseUrl } = readPageSettings()
  const { code, codeVerifier, nonceProof } = readCallback()
  const { access_token, id_token } = await postOnce<Tokens>('/api/exchange', {
    code,
    code_verifier: codeVerifier,
  })
  const sdk = await init({ baseUrl, accessToken: access_token, idToken: id_token })
  return { sdk, session: await startSession({ id_token, nonce_proof: nonceProof }) }
}

interface Tokens {
  readonly access_token: string
  readonly id_token: string
}

/**
 * Opens a launch of option 2: checks the callback, lets the SDK fetch the tokens from the registered
 * endpoint, and begins the app's own session with the ID token. It never handles the access token.
 * Spec §5.2, §5.6.
 * @throws AppKitError of `readCallback` and `session.start`; ServiceSDKError of `init`
 * @example const { session, sdk } = await openByTokenEndpoint(initServiceSDK)
 */
export async function openByTokenEndpoint<SDK extends IdTokenSDK>(
  init: InitSDK<SDK>,
): Promise<OpenedLaunch<SDK>> {
  const { code, nonceProof } = readCallback()
  const sdk = await init({ baseUrl: readPageSettings().baseUrl, code })
  const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
  return { sdk, session: await startSession({ id_token: idToken, nonce_proof: nonceProof }) }
}

const query = new URLSearchParams(globalThis.location?.search)

/**
 * Opens a launch of option 3: passes the platform token that the app's server read to the SDK, and
 * begins the app's own session once the SDK is ready; `getIdToken()` then rejects with
 * ID_TOKEN_UNAVAILABLE. Accepts only a launch that this tab began. Spec §5.3, §5.6; security L03.
 * @throws AppKitError of `takeLaunch`, `postOnce` and `session.start`; ServiceSDKError of `init`; an
 *   error with the provider's own code, such as ticket_missing
 * @example const { session, sdk } = await openByProvider(initServiceSDK)
 */
export async function openByProvider<SDK>(init: InitSDK<SDK>): Promise<OpenedLaunch<SDK>> {
  history.replaceState(null, '', location.pathname)
  const [ticket, error] = [query.get('ticket'), query.get('error')]
  if (error) failAtProvider(error, query.get('description'))
  if (!ticket) failAtProvider('ticket_missing', 'The page was opened without a ticket.')
  const launchId = query.get('launch_id') ?? ''
  const proof = takeLaunch(launchId)
  const { access_token: accessToken } = await postOnce<{ access_token: string }>('/api/exchange', {
    ...{ ticket, launch_id: launchId, proof },
  })
  const sdk = await init({ baseUrl: readPageSettings().baseUrl, accessToken })
  return { sdk, session: await startSession({ proof }) }
}

/**
 * Gives every caller the same promise: a code and a ticket work once, and React runs effects twice in
 * StrictMode. Never throws itself.
 * @example const open = openOnce(() => openByExchange(initServiceSDK))
 */
export function openOnce<Launch>(open: () => Promise<Launch>): () => Promise<Launch> {
  let opened: Promise<Launch> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

/** Starts the session, after the SDK is ready: a launch outside its own panel ends before, and leaves no session. */
async function startSession(proof: object): Promise<AppSession> {
  const session = createSession()
  await session.start(proof)
  return session
}

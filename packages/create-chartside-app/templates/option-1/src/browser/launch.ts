// The page's part of a launch, option 1: redirect to authorize; on the callback check the response,
// let the app's server exchange the code, pass its tokens to the SDK, and begin the app's own session
// once the SDK is ready. Keeps tokens in memory only. Spec §2.2, §5.1, §5.6; security H02, H05, V20.
import {
  type AppSession,
  beginLaunch,
  createSession,
  postOnce,
  readCallback,
} from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'

interface Tokens {
  readonly access_token: string
  readonly id_token: string
}

const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings

export const begin = (): Promise<void> =>
  beginLaunch({ ...settings, scope: 'launch openid profile', pkce: true, bindIdToken: true })

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  const { code, codeVerifier, nonceProof } = readCallback()
  const proof = { code, code_verifier: codeVerifier }
  const { access_token, id_token } = await postOnce<Tokens>('/api/exchange', proof)
  const tokens = { accessToken: access_token, idToken: id_token }
  const sdk = await init({ baseUrl: settings.baseUrl, ...tokens })
  // Not before: a launch that is opened outside its own panel ends above, and leaves no session.
  const session = createSession()
  await session.start({ id_token, nonce_proof: nonceProof })
  return { session, sdk }
}

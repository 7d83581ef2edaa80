// The page's part of a launch, option 2: redirect to authorize; on the callback check the response,
// let the SDK fetch the tokens from the registered endpoint, and start the app's own session with
// the ID token. Never handles the access token. Spec §2.2, §5.2, §5.6;
// security V20.
import {
  type AppSession,
  beginLaunch,
  createSession,
  readCallback,
} from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'

const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings

export const begin = (): Promise<void> =>
  beginLaunch({ ...settings, scope: 'launch openid profile', bindIdToken: true })

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  const { code, nonceProof } = readCallback()
  const sdk = await init({ baseUrl: settings.baseUrl, code })
  const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
  // Not before: a launch that is opened outside its own panel ends above, and leaves no session.
  const session = createSession()
  await session.start({ id_token: idToken, nonce_proof: nonceProof })
  return { session, sdk }
}

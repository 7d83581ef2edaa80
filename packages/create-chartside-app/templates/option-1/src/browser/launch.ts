// The page's part of a launch, option 1: redirect to authorize; on the callback check the response,
// let the app's server exchange the code, and pass its tokens to the SDK. Keeps tokens in memory
// only. Spec §2.2, §5.1; security H02, H05.
import {
  type AppSession,
  beginLaunch,
  createSession,
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
  beginLaunch({ ...settings, scope: 'launch openid profile', pkce: true })

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  const { code, codeVerifier } = readCallback()
  const session = createSession()
  const tokens = await session.start<Tokens>({ code, code_verifier: codeVerifier })
  const { access_token: accessToken, id_token: idToken } = tokens
  return { session, sdk: await init({ baseUrl: settings.baseUrl, accessToken, idToken }) }
}

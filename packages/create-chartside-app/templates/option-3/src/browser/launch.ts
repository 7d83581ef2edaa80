// The page's part of a launch, option 3: take the launch to the provider's sign-in; come back with a
// ticket, start the app's own session with it, and give the platform token that the app's server read
// to the SDK. `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. Spec §5.3, §5.6.
import { type AppSession, createSession } from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'

const LAUNCH_KEY = '{{slug}}:launch'
const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings
const query = new URLSearchParams(location.search)

/** The tab remembers its launch: only the token of that launch is taken on the way back. */
export async function begin(): Promise<void> {
  const launchId = query.get('launch_id')
  if (!launchId) throw new Error('The Launch URL was opened without a launch_id.')
  sessionStorage.setItem(LAUNCH_KEY, launchId)
  const carried = new URLSearchParams({ launch_id: launchId })
  location.replace(`${settings.providerUrl}/sign-in?${carried}`)
}

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  history.replaceState(null, '', location.pathname)
  const [ticket, error] = [query.get('ticket'), query.get('error')]
  if (error) throw new Error(query.get('description') || `Signing in failed: ${error}.`)
  if (!ticket) throw new Error('The page was opened without a launch.')
  const launchId = sessionStorage.getItem(LAUNCH_KEY)
  sessionStorage.removeItem(LAUNCH_KEY)
  const session = createSession()
  const proof = { ticket, launch_id: launchId }
  const { access_token: accessToken } = await session.start<{ access_token: string }>(proof)
  return { session, sdk: await init({ baseUrl: settings.baseUrl, accessToken }) }
}

// The page's part of a launch, option 3: redirect to the provider's sign-in; on the return start
// the app's own session with the provider's ticket, and pass the platform token that the app's
// server read to the SDK. `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. Spec §5.3, §5.6.
import { type AppSession, createSession } from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'
import { rememberLaunch, takeLaunch } from './begun-launch.ts'
import { buildProviderError } from './provider-error.ts'

const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings
const query = new URLSearchParams(location.search)

export async function begin(): Promise<void> {
  const launchId = query.get('launch_id')
  if (!launchId) throw new Error('The Launch URL was opened without a launch_id.')
  rememberLaunch(sessionStorage, launchId)
  const launch = new URLSearchParams({ launch_id: launchId })
  location.replace(`${settings.providerUrl}/sign-in?${launch}`)
}

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  history.replaceState(null, '', location.pathname)
  const [ticket, error] = [query.get('ticket'), query.get('error')]
  if (error) throw buildProviderError(error, query.get('description'))
  if (!ticket) throw new Error('The page was opened without a launch.')
  const launchId = query.get('launch_id') ?? ''
  // An attacker's ticket in a prepared address would sign this browser in as the attacker.
  if (!takeLaunch(sessionStorage, launchId)) throw new Error('This tab did not begin the launch.')
  const session = createSession()
  const proof = { ticket, launch_id: launchId }
  const { access_token: accessToken } = await session.start<{ access_token: string }>(proof)
  return { session, sdk: await init({ baseUrl: settings.baseUrl, accessToken }) }
}

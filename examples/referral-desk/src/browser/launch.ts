// The page's part of a launch, option 3: redirect to the provider's sign-in; on the return pass the
// platform token that the app's server read to the SDK, and begin the app's own session once the SDK
// is ready. `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. Spec §5.3, §5.6; security L03, V20.
import {
  type AppSession,
  createSession,
  postOnce,
  rememberLaunch,
  takeLaunch,
} from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'
import { buildProviderError } from './provider-error.ts'

const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings
const query = new URLSearchParams(location.search)

export async function begin(): Promise<void> {
  const launch = new URLSearchParams({ launch_id: rememberLaunch() })
  location.replace(`${settings.providerUrl}/sign-in?${launch}`)
}

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  history.replaceState(null, '', location.pathname)
  const [ticket, error] = [query.get('ticket'), query.get('error')]
  if (error) throw buildProviderError(error, query.get('description'))
  if (!ticket) throw buildProviderError('ticket_missing', 'The page was opened without a ticket.')
  const launchId = query.get('launch_id') ?? ''
  const proof = takeLaunch(launchId)
  const { access_token: accessToken } = await postOnce<{ access_token: string }>('/api/exchange', {
    ...{ ticket, launch_id: launchId, proof },
  })
  const sdk = await init({ baseUrl: settings.baseUrl, accessToken })
  // Not before: a launch that is opened outside its own panel ends above, and leaves no session.
  const session = createSession()
  await session.start({ proof })
  return { session, sdk }
}

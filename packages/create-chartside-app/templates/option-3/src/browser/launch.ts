// The page's part of a launch, option 3: take the launch to the provider's sign-in; come back with a
// ticket, start the app's own session with it, and give the platform token that the app's server read
// to the SDK. `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. Spec §5.3, §5.6.
import { type AppSession, createSession } from '@chartside/app-kit/browser'
import type { LoadAndInit, ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../settings.ts'

/** Under the name of the launch: the frames of one tab share this storage. */
const keyOf = (launchId: string): string => `{{slug}}:launch:${launchId}`
const settings = JSON.parse(document.body.dataset.settings ?? '{}') as PageSettings
const query = new URLSearchParams(location.search)

/** The tab remembers its launch: only the token of that launch is taken on the way back. */
export async function begin(): Promise<void> {
  const launchId = query.get('launch_id')
  if (!launchId) throw new Error('The Launch URL was opened without a launch_id.')
  sessionStorage.setItem(keyOf(launchId), 'begun')
  const carried = new URLSearchParams({ launch_id: launchId })
  location.replace(`${settings.providerUrl}/sign-in?${carried}`)
}

/** `init`: `initServiceSDK` or `initWorkerServiceSDK`. */
export async function open(init: LoadAndInit): Promise<{ session: AppSession; sdk: ServiceSDK }> {
  history.replaceState(null, '', location.pathname)
  const [ticket, error] = [query.get('ticket'), query.get('error')]
  if (error) throw buildFailure(error, query.get('description'))
  if (!ticket) throw new Error('The page was opened without a launch.')
  const launchId = query.get('launch_id') ?? ''
  const isOwn = sessionStorage.getItem(keyOf(launchId)) !== null
  sessionStorage.removeItem(keyOf(launchId))
  // Somebody else's ticket, in an address made for this browser, would sign it in as them.
  if (!isOwn) throw new Error('This tab did not begin the launch.')
  const session = createSession()
  const proof = { ticket, launch_id: launchId }
  const { access_token: accessToken } = await session.start<{ access_token: string }>(proof)
  return { session, sdk: await init({ baseUrl: settings.baseUrl, accessToken }) }
}

const COOKIES = 'Allow cookies of the identity provider in the panel, then launch the app again.'
const FIXES: Readonly<Record<string, string>> = {
  service_unreachable: 'Check that the service runs, then launch the app again.',
  provider_session_missing: COOKIES,
  state_not_found: COOKIES,
  state_mismatch: COOKIES,
  provider_failed: 'Look at the terminal in which the provider runs, then launch the app again.',
}

/** The provider brought this browser back with an error. */
function buildFailure(code: string, description: string | null): Error {
  const cause = description || `Signing in failed: ${code}.`
  const fix = FIXES[code] ?? 'Launch the app again from the panel.'
  return Object.assign(new Error(cause), { code, fix })
}

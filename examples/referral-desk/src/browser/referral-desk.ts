// The page, in the order of its story: take the launch to the provider's sign-in; come back with a
// ticket; start the app's own session; get the platform token from the app's server; init the SDK.
// Spec §5.3, §5.6, §2.5 (getIdToken).
import { createSession } from '@chartside/app-kit/browser'
import {
  describe,
  findAnswer,
  readSettings,
  showEnded,
  showProblem,
} from '@chartside/example-app-shell/browser'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { PageSettings } from '../desk/pages.ts'
import { rememberLaunch, takeLaunch } from './begun-launch.ts'
import { type DeskView, showDesk } from './desk-view.ts'
import { explainFailure } from './provider-failure.ts'

const settings = readSettings<PageSettings>()
const query = new URLSearchParams(location.search)
const session = createSession()

const story = location.pathname === '/launch' ? launch() : open()
story.catch((error: unknown) => showProblem(findAnswer(error) ?? describe(error, 'launch_failed')))

/** The tab remembers its launch: only the token of that launch is taken on the way back. */
async function launch(): Promise<void> {
  const launchId = query.get('launch_id')
  if (!launchId) throw new Error('The Launch URL was opened without a launch_id.')
  rememberLaunch(sessionStorage, launchId)
  location.replace(
    `${settings.providerUrl}/sign-in?${new URLSearchParams({ launch_id: launchId })}`,
  )
}

async function open(): Promise<void> {
  const withIdToken = query.get('with') === 'id_token'
  history.replaceState(null, '', withIdToken ? '?with=id_token' : location.pathname)
  const failure = query.get('error')
  if (failure) return showProblem(explainFailure(failure, query.get('description')))
  await signIn()
  const path = `/api/platform-tokens${withIdToken ? '?with=id_token' : ''}`
  const tokens = await session.request<{ accessToken: string; idToken?: string }>('GET', path)
  const sdk = await initServiceSDK({ baseUrl: settings.baseUrl, ...tokens })
  const desk = await session.request<DeskView>('GET', '/api/me')
  showDesk(desk, { withIdToken, answer: await askForIdToken(sdk) })
  sdk.on('ended', () => {
    showEnded('The launch has ended, so this session was ended too.')
    session.end().catch(() => undefined)
  })
}

/** A ticket starts the session; a reloaded page goes on with the one it has. */
async function signIn(): Promise<void> {
  const ticket = query.get('ticket')
  const launchId = query.get('launch_id') ?? ''
  if (!ticket) {
    if (!(await session.resume())) throw new Error('The page was opened without a launch.')
    return
  }
  // Somebody else's ticket, in an address made for this browser, would sign it in as them.
  if (!takeLaunch(sessionStorage, launchId)) throw new Error('This tab did not begin the launch.')
  await session.start({ ticket, launch_id: launchId })
}

async function askForIdToken({ sessionContext }: ServiceSDK): Promise<string> {
  try {
    await sessionContext?.getIdToken()
    return 'resolves'
  } catch (error) {
    return `rejects: ${(error as { code?: string }).code}`
  }
}

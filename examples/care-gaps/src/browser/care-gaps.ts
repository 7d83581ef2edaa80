// The page, in the order of its story: go to authorize; on the callback check the answer, let the SDK
// fetch the tokens from the registered endpoint, start the app's own session with the ID token, show
// the board. Passes no token and sees no access token. Spec §2.2, §5.2, §5.4, §5.6.
import { beginLaunch, createSession, readCallback } from '@chartside/app-kit/browser'
import {
  describe,
  readSettings,
  showEnded,
  showProblem,
} from '@chartside/example-app-shell/browser'
import { initServiceSDK } from '@chartside/sdk'
import type { Gap } from '../gaps.ts'
import type { PageSettings } from '../pages.ts'
import { type BoardView, showBoard } from './board.ts'

const settings = readSettings<PageSettings>()
const session = createSession()

const story = location.pathname === '/launch' ? launch() : open()
story.catch((error: unknown) => showProblem(describe(error)))

async function launch(): Promise<void> {
  await beginLaunch({ ...settings, scope: 'launch openid profile' })
}

async function open(): Promise<void> {
  // The SDK has read the code as it was imported; after these checks nobody else can.
  readCallback()
  const sdk = await initServiceSDK({ baseUrl: settings.baseUrl })
  const { idToken } = (await sdk.sessionContext?.getIdToken()) ?? {}
  await session.start({ id_token: idToken })
  const board = await session.request<BoardView>('GET', '/api/gaps')
  showBoard(board, async (id, closed) => {
    const { gaps } = await session.request<{ gaps: Gap[] }>('PUT', '/api/gaps', { id, closed })
    return gaps
  })
  sdk.on('ended', () => {
    showEnded('The launch has ended, so this session was ended too.')
    session.end().catch(() => undefined)
  })
}

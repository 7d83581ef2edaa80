// The page, in the order of its story: go to sign in; come back, open the app's own session and the
// SDK (launch.ts), show who is there. Holds no token. Spec §1.1, §5.6.
import { initServiceSDK } from '@chartside/sdk'
import type { Me } from '../api.ts'
import { begin, open } from './launch.ts'
import { describe } from './problem.ts'
import { showEnded, showMe, showProblem } from './views.ts'

const story = location.pathname === '/launch' ? begin() : show()
story.catch((error: unknown) => showProblem(describe(error)))

async function show(): Promise<void> {
  const { session, sdk } = await open(initServiceSDK)
  sdk.on('ended', () => {
    showEnded()
    session.end().catch(() => undefined)
  })
  showMe(await session.request<Me>('GET', '/api/me'))
}

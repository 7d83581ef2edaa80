// The page's script: on the Launch URL begin the launch; on the callback open the app's own session
// and the SDK (launch.ts), then show the app (app-view.ts). Keeps no token. Spec §1.1, §5.6.
import { initServiceSDK } from '@chartside/sdk'
import { showApp } from './app-view.ts'
import { begin, open } from './launch.ts'
import { describe } from './problem.ts'
import { showEnded, showProblem } from './views.ts'

const page = location.pathname === '/launch' ? begin() : openApp()
page.catch((error: unknown) => showProblem(describe(error)))

async function openApp(): Promise<void> {
  const launch = await open(initServiceSDK)
  launch.sdk.on('ended', () => {
    showEnded()
    launch.session.end().catch(() => undefined)
  })
  await showApp(launch)
}

// The page's script: on the Launch URL begin the launch; on the callback open the SDK and the app's own
// session (launch.ts), then show the app (app-view.ts). A failure is on the page and, at once, in the
// host's timeline. Keeps no token. Spec §1.1, §5.6.
import { initServiceSDK, reportLaunchFailure } from '@chartside/sdk'
import { showApp } from './app-view.ts'
import { begin, open } from './launch.ts'
import { describe } from './problem.ts'
import { showEnded, showProblem } from './views.ts'

const page = location.pathname === '/launch' ? begin() : openApp()
page.catch((error: unknown) => {
  const problem = describe(error)
  showProblem(problem)
  const { error: code, cause: message, fix, trace_id: traceId } = problem
  reportLaunchFailure({ code, message, fix, traceId })
})

async function openApp(): Promise<void> {
  const launch = await open(initServiceSDK)
  launch.sdk.on('ended', () => {
    showEnded()
    launch.session.end().catch(() => undefined)
  })
  await showApp(launch)
}

// The worker's page, which stays hidden: on the Launch URL begin the launch; on the callback open the
// SDK and the app's own session (launch.ts), then report who is present. A failure is in the console
// and, at once, in the host's timeline. Spec §1.1, §5.6.
import { initWorkerServiceSDK, reportLaunchFailure } from '@chartside/sdk'
import { begin, open } from './launch.ts'

const page = location.pathname === '/launch' ? begin() : watch()
page.catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`${document.title} could not start:`, message)
  // The kit and the SDK have reported their own errors, which have a code.
  if (!(error instanceof Error && 'code' in error)) {
    reportLaunchFailure({ code: 'worker_failed', message })
  }
})

async function watch(): Promise<void> {
  const { session, sdk } = await open(initWorkerServiceSDK)
  sdk.on('ended', () => void session.end().catch(() => undefined))
  await session.request('POST', '/api/presence')
}

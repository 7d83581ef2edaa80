// The worker's page, which stays hidden: on the Launch URL begin the launch; on the callback open
// the app's own session and the SDK (launch.ts), then report who is present. A failure shows in the
// console and in the host's timeline. Spec §1.1, §5.6.
import { initWorkerServiceSDK } from '@chartside/sdk'
import { begin, open } from './launch.ts'

const page = location.pathname === '/launch' ? begin() : watch()
page.catch((error: unknown) => {
  console.error(
    `${document.title} could not start:`,
    error instanceof Error ? error.message : error,
  )
})

async function watch(): Promise<void> {
  const { session, sdk } = await open(initWorkerServiceSDK)
  sdk.on('ended', () => void session.end().catch(() => undefined))
  await session.request('POST', '/api/presence')
}

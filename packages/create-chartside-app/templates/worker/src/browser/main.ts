// The worker's page, which nobody sees: go to sign in; come back, open the app's own session and the
// SDK (launch.ts), tell the server who is there. A failure shows in the console and in the host's
// timeline. Spec §1.1, §5.6.
import { initWorkerServiceSDK } from '@chartside/sdk'
import { begin, open } from './launch.ts'

const story = location.pathname === '/launch' ? begin() : watch()
story.catch((error: unknown) => {
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

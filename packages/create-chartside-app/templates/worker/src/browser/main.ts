// The worker's page, which stays hidden: on the Launch URL it begins the launch, on the callback it opens
// the SDK and the app's own session, then reports who is present.
import {
  beginForExchange,
  type OpenedLaunch,
  openByExchange,
  runWorkerPage,
} from '@chartside/app-kit/page'
import { initWorkerServiceSDK, type ServiceSDK } from '@chartside/sdk'

runWorkerPage({
  begin: beginForExchange,
  open: () => openByExchange(initWorkerServiceSDK),
  show: watch,
})

/** Runs while the provider is present. */
async function watch({ session }: OpenedLaunch<ServiceSDK>): Promise<void> {
  await session.request('POST', '/api/presence')
}

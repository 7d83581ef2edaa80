// The worker's page, which stays hidden: on the Launch URL it begins the launch, on the callback it
// opens the SDK and the app's own session (launch.ts), then reports who is present. Spec §1.1, §5.6.
import { type OpenedLaunch, runWorkerPage } from '@chartside/app-kit/page'
import { initWorkerServiceSDK, type ServiceSDK } from '@chartside/sdk'
import { begin, open } from './launch.ts'

runWorkerPage({ begin, open: () => open(initWorkerServiceSDK), show: watch })

/** Runs while the provider is present. */
async function watch({ session }: OpenedLaunch<ServiceSDK>): Promise<void> {
  await session.request('POST', '/api/presence')
}

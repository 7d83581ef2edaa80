// The page's script: on the Launch URL it begins the launch, on the callback it opens the SDK and the
// app's own session (launch.ts), then shows the app (app-view.ts). Keeps no token. Spec §1.1, §5.6.
import { runPage } from '@chartside/app-kit/page'
import { initServiceSDK } from '@chartside/sdk'
import { showApp } from './app-view.ts'
import { begin, open } from './launch.ts'

runPage({ begin, open: () => open(initServiceSDK), show: showApp })

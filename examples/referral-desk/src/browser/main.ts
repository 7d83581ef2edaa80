// The page's script: on the Launch URL it begins the launch, on the return it opens the launch with the
// provider's ticket and shows the referrals. Keeps no token. Spec §5.3, §5.6.
import { beginAtProvider, openByProvider, runPage } from '@chartside/app-kit/page'
import { initServiceSDK } from '@chartside/sdk'
import { showApp } from './app-view.ts'

const open = () => openByProvider(initServiceSDK)
runPage({ begin: beginAtProvider, open, show: showApp })

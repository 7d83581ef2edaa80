// The page's script: on the Launch URL it begins the launch, on the callback the SDK asks the token
// endpoint, and the list is shown. Never handles the access token. Spec §5.2, §5.6.
import { beginForTokenEndpoint, openByTokenEndpoint, runPage } from '@chartside/app-kit/page'
import { initServiceSDK } from '@chartside/sdk'
import { showApp } from './app-view.ts'

const open = () => openByTokenEndpoint(initServiceSDK)
runPage({ begin: beginForTokenEndpoint, open, show: showApp })

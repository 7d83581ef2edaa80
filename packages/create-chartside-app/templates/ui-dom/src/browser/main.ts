// The page: on the Launch URL it begins the launch, on the callback it opens the SDK and the app's own
// session, then shows the app: `showApp` is yours. Keeps tokens in memory only, and never decides access.
import {
  beginForExchange,
  buildDraftField,
  el,
  facts,
  type OpenedLaunch,
  openByExchange,
  runPage,
  show,
  userHeader,
} from '@chartside/app-kit/page'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { Me } from '../app.ts'

runPage({ begin: beginForExchange, open: () => openByExchange(initServiceSDK), show: showApp })

/** Shows the app to the provider. */
async function showApp({ session, sdk }: OpenedLaunch<ServiceSDK>): Promise<void> {
  const me = await session.request<Me>('GET', '/api/me')
  const field = await buildDraftField({ session, sdk, name: 'note', label: 'Your note' })
  show(
    'app',
    userHeader(me),
    facts({ EHR: me.ehrType, Panel: sdk.sessionContext?.account.name ?? 'none' }),
    field,
    el('p', { class: 'quiet' }, 'This page is showApp in src/browser/main.ts.'),
  )
}

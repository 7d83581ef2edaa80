// What the provider sees: your app goes here. Loads its data with the app's own session; never
// decides access.
import {
  buildDraftField,
  el,
  facts,
  type OpenedLaunch,
  show,
  userHeader,
} from '@chartside/app-kit/page'
import type { ServiceSDK } from '@chartside/sdk'
import type { Me } from '../api.ts'

export async function showApp({ session, sdk }: OpenedLaunch<ServiceSDK>): Promise<void> {
  const me = await session.request<Me>('GET', '/api/me')
  const field = await buildDraftField({ session, sdk, name: 'note', label: 'Your note' })
  show(
    'app',
    userHeader(me),
    facts({ EHR: me.ehrType, Panel: sdk.sessionContext?.account.name ?? 'none' }),
    field,
    el('p', { class: 'quiet' }, 'This page is showApp in src/browser/app-view.ts.'),
  )
}

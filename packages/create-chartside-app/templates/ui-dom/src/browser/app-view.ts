// What the provider sees: your app goes here. Loads its data with the app's own session; never
// decides access.
import type { AppSession } from '@chartside/app-kit/browser'
import type { ServiceSDK } from '@chartside/sdk'
import type { Me } from '../api.ts'
import { buildDraftField } from './draft-field.ts'
import { el, facts, show, userHeader } from './views.ts'

interface Launch {
  readonly session: AppSession
  /** For the events and the session context of the launch. */
  readonly sdk: ServiceSDK
}

export async function showApp({ session, sdk }: Launch): Promise<void> {
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

// The API of Referral Desk: the user and the referrals. Needs the app's own session; the user is
// that of the verified launch. Spec §2.5, §5.6.
import { createDrafts, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { respondText } from './pages.ts'
import { REFERRALS } from './referrals.ts'
import { requireIdentity } from './require-identity.ts'
import { startPage } from './start-page.ts'

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const drafts = createDrafts({ sessions })
  return {
    'GET /api/drafts': drafts.load,
    'PUT /api/drafts': drafts.save,

    'GET /': async () => respondText(startPage, 'text/html'),

    'GET /api/referrals': async (request) => {
      const { name, userId, account } = await requireIdentity(sessions, request)
      const user = { name: name ?? userId, practice: account.name }
      return Response.json({ user, referrals: REFERRALS })
    },
  }
}

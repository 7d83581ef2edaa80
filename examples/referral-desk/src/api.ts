// The API of Referral Desk: the user and the referrals. Needs the app's own session; the user is
// that of the verified launch. Spec §2.5, §5.6.
import { type Routes, requireIdentity, type Sessions } from '@chartside/app-kit/server'
import { REFERRALS } from './referrals.ts'

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  return {
    'GET /api/referrals': async (request) => {
      const { name, userId, account } = await requireIdentity(sessions, request)
      const user = { name: name ?? userId, practice: account.name }
      return Response.json({ user, referrals: REFERRALS })
    },
  }
}

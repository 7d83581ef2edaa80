// The app's own API: what to change first. Every call needs the app's own session; the tenant key
// is the account of the verified launch, never a value that the page sends. Spec §2.5, §5.6.
import { type Routes, requireIdentity, type Sessions } from '@chartside/app-kit/server'

/** What the page shows of the user. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

export const createApi = (sessions: Pick<Sessions, 'authenticate'>): Routes => ({
  'GET /api/me': async (request) => {
    const { name, userId, account, ehrType } = await requireIdentity(sessions, request)
    const me: Me = { name: name ?? userId, practice: account.name, ehrType }
    return Response.json(me)
  },
})

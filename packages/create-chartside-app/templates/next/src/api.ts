// The app's own API: what to change first. Every call needs the app's own session; the tenant key
// is the account of the verified launch, never a value that the page sends. A new path also needs its
// file below app/api. Spec §2.5, §5.6.
import { createDrafts, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { requireIdentity } from './require-identity.ts'

/** What the page shows of the user. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const drafts = createDrafts({ sessions })
  return {
    'GET /api/drafts': drafts.load,
    'PUT /api/drafts': drafts.save,

    'GET /api/me': async (request) => {
      const { name, userId, account, ehrType } = await requireIdentity(sessions, request)
      const me: Me = { name: name ?? userId, practice: account.name, ehrType }
      return Response.json(me)
    },
  }
}

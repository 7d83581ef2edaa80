// The API of Care Gaps: the gaps of the user's practice, and closing one. The practice is the
// account of the verified launch, never a value that the page sends. Spec §2.5, §5.6.
import { createDrafts, readJson, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { requireText } from './fields.ts'
import { GapList } from './gaps.ts'
import { respondText } from './pages.ts'
import { requireIdentity } from './require-identity.ts'
import { startPage } from './start-page.ts'

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const gaps = new GapList()
  const drafts = createDrafts({ sessions })
  return {
    'GET /api/drafts': drafts.load,
    'PUT /api/drafts': drafts.save,

    'GET /': async () => respondText(startPage, 'text/html'),

    'GET /api/gaps': async (request) => {
      const { name, userId, account } = await requireIdentity(sessions, request)
      const user = { name: name ?? userId, practice: account.name }
      return Response.json({ user, gaps: gaps.list(account.id) })
    },

    'PUT /api/gaps': async (request) => {
      const { account } = await requireIdentity(sessions, request)
      const body = await readJson(request)
      const isClosed = body?.closed === true
      return Response.json({ gaps: gaps.update(account.id, requireText(body, 'id'), isClosed) })
    },
  }
}

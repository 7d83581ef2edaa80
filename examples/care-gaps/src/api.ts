// The API of Care Gaps: the gaps of the user's practice, and closing one. The practice is the
// account of the verified launch, never a value that the page sends. Spec §2.5, §5.6.
import {
  type Routes,
  readJson,
  requireIdentity,
  requireText,
  type Sessions,
} from '@chartside/app-kit/server'
import { GapList } from './gaps.ts'

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const gaps = new GapList()
  return {
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

// A route of your own: the user, for the page. Without a session it answers 401; an error of yours becomes
// cause and fix.
import type { Me } from '../../../src/browser/open.ts'
import { chartside } from '../../../src/chartside.ts'

export const GET = chartside.route(async (request) => {
  const { name, userId, account, ehrType } = await chartside.identity(request)
  const me: Me = { name: name ?? userId, practice: account.name, ehrType }
  return Response.json(me)
})

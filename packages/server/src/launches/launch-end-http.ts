// The handler that ends one launch: its host when the frame of the app closes, an administrator of the
// account or of the platform at any time. Its code and its token end in the same write. Who develops
// the app may read the timeline and end nothing: they disable the app. Contract §3.

import type { HasApps } from '../apps/app-directory.ts'
import { notifyLaunchesEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { requireMatch } from '../http/input/conditional.ts'
import { isAllowedOn, notAllowed, requireAccess } from '../kernel/access.ts'
import { endLaunch, findLaunch } from './launch-store.ts'
import { loadLaunchViews } from './launches-http.ts'

type Parts = HasApps & HasConfig & HasDatabase & HasSubscriptions

export async function removeLaunch(service: Parts, call: PersonCall<'id'>): Promise<Answer<204>> {
  const { person, permission } = call
  const found = await findLaunch(service.db, call.params.id)
  const userId = found?.context.sub ?? ''
  const accountId = found?.context.account.id ?? ''
  if (found && !isAllowedOn(person, { userId, accountId }, permission)) {
    const app = await service.apps.findApp(found.appId)
    const owner = { userId, accountId: app?.accountId ?? '' }
    if (isAllowedOn(person, owner, 'trace')) throw notAllowed(permission)
  }
  const launch = requireAccess(call, 'launch', found, { userId, accountId })
  if (call.ifMatch !== undefined) {
    const [view] = await loadLaunchViews(service, [launch], call)
    requireMatch(call.ifMatch, view ?? {})
  }
  const reason = person.user.id === userId ? 'closed' : 'revoked'
  if (await endLaunch(service.db, launch, { at: call.now, reason })) {
    await notifyLaunchesEnded(service, [launch])
    call.log.info({ launch: launch.id, reason }, 'launch ended')
  }
  return { status: 204 }
}

// Finds the launch that a call names and checks the permission of its route: by the user, the practice of
// the launch and the owner of its app. Writes nothing.
import type { HasApps } from '../apps/app-directory.ts'
import type { HasDatabase } from '../db/database.ts'
import type { RecordCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import type { Launch } from './launch.ts'
import { findLaunch } from './launch-store.ts'

/** The launch of `:id`, when the caller has the permission of the route. @throws ApiError 404 */
export async function loadLaunch(
  service: HasApps & HasDatabase,
  call: RecordCall,
): Promise<Launch> {
  const launch = await findLaunch(service.db, call.params.id)
  const app = launch && (await service.apps.findApp(launch.appId))
  const accountId = app?.accountId ?? ''
  const { sub: userId = '', account } = launch?.context ?? {}
  const owners = { userId, accountId, practiceId: account?.id ?? '' }
  return requireAccess(call, 'launch', launch, owners)
}

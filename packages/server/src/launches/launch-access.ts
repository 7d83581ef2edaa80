// Finds the launch that a call names and checks the permission of its route: by the user, the practice of
// the launch and the owner of its app. Writes nothing.
import type { HasApps } from '../apps/app-directory.ts'
import type { HasDatabase } from '../db/database.ts'
import type { RecordCall } from '../http/call.ts'
import { type Ownership, requireAccess } from '../kernel/access.ts'
import type { Launch } from './launch.ts'
import { findLaunch } from './launch-store.ts'

/** The launch of `:id`, when the caller has the permission of the route. @throws ApiError 404 */
export async function loadLaunch(
  service: HasApps & HasDatabase,
  call: RecordCall,
): Promise<Launch> {
  const launch = await findLaunch(service.db, call.params.id)
  return requireAccess(call, 'launch', launch, launch && (await ownersOf(service, launch)))
}

/** The user, the practice and the vendor of a launch. */
export async function ownersOf(
  { apps }: HasApps,
  { appId, context }: Pick<Launch, 'appId' | 'context'>,
): Promise<Ownership> {
  const app = await apps.findApp(appId)
  const { sub: userId, account } = context
  return { userId, accountId: app?.accountId ?? '', practiceId: account.id }
}

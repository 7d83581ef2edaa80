// Loads the app that a call is about, for every room whose routes stand below /api/apps/:id. Contract §4.
// Decides nothing: the permission is that of the route.
import type { HasDatabase } from '../db/database.ts'
import type { RecordCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import type { App } from './app.ts'
import { findApp } from './app-store.ts'

/** The app of `:id`, when the caller has the permission of the route. @throws ApiError 404, 403 */
export async function loadApp(service: HasDatabase, call: RecordCall): Promise<App> {
  return requireAccess(call, 'app', await findApp(service.db, call.params.id))
}

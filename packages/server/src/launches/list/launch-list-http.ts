// The handler of the list of launches: a page of those that the caller sees (launch-scope.ts), or the one
// whose launch_id the caller holds. Contract §3.

import type { HasApps } from '../../apps/app-directory.ts'
import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import type { Answer, PersonCall } from '../../http/call.ts'
import { buildPage, newestOf, parsePage } from '../../http/input/pagination.ts'
import { hashBearer, isSameHash, parseBearer } from '../../kernel/identifiers.ts'
import type { Launch } from '../launch.ts'
import type { LAUNCHES } from '../launch-schema.ts'
import { findLaunch } from '../launch-store.ts'
import { loadLaunchViews } from '../timeline/launch-views.ts'
import { listLaunches } from './launch-list-store.ts'
import { loadScope, parseFilter } from './launch-scope.ts'

type Parts = HasApps & HasConfig & HasDatabase

export async function listLaunchesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCHES>> {
  const page = parsePage(call.query, { of: ['lau'], start: newestOf('lau') })
  const { launch_id: launchId } = call.query
  const filter = parseFilter(service, call)
  const scope = await loadScope(service, call, filter)
  const found =
    launchId === undefined
      ? await listLaunches(service.db, scope, filter, { ...page, limit: page.limit + 1 })
      : await findLaunchByLaunchId(service.db, launchId)
  const views = await loadLaunchViews(service, found, call)
  return { status: 200, body: buildPage(views, page, (view) => view) }
}

/** The launch_id is a bearer value: its holder may read the launch. */
async function findLaunchByLaunchId(db: Database, launchId: string): Promise<Launch[]> {
  const id = parseBearer('lnch', 'lau', launchId)
  const launch = id && (await findLaunch(db, id))
  return launch && isSameHash(launch.launchHash, hashBearer(launchId)) ? [launch] : []
}

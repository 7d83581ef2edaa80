// The handler of the list of launches: a page of those that the caller sees (launch-scope.ts), or the one
// whose launch_id the caller holds. Contract §3.

import type { HasApps } from '../../apps/app-directory.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Answer, PersonCall } from '../../http/call.ts'
import { buildPage, newestOf, parsePage, sayHidden } from '../../http/input/pagination.ts'
import { isAllowedOn } from '../../kernel/access.ts'
import { hashBearer, isSameHash, parseBearer } from '../../kernel/identifiers.ts'
import { hidesOthers, listAskedAccounts } from '../../kernel/user.ts'
import { livenessCutoff } from '../../liveness/liveness.ts'
import { decideLaunchState, type Launch } from '../launch.ts'
import { ownersOf } from '../launch-access.ts'
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
      : await findLaunchByLaunchId(service, call, launchId)
  const views = await loadLaunchViews(service, found, call)
  const asked = listAskedAccounts(call.person, call.query.accountId)
  const isHidden = launchId === undefined && hidesOthers(call.person, asked)
  const body = buildPage(views, page, (view) => view)
  return { status: 200, body: sayHidden(body, call.query, isHidden) }
}

/**
 * The launch_id is a bearer value, and it stands in the access logs of the app: its holder reads the launch while
 * it is live, and afterwards only who may read it anyway. Security V30.
 */
async function findLaunchByLaunchId(
  service: Parts,
  call: PersonCall,
  launchId: string,
): Promise<Launch[]> {
  const id = parseBearer('lnch', 'lau', launchId)
  const launch = id && (await findLaunch(service.db, id))
  if (!launch || !isSameHash(launch.launchHash, hashBearer(launchId))) return []
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const isLive = !['ended', 'expired'].includes(decideLaunchState(launch, cutoff))
  const isOwner = isAllowedOn(call.person, await ownersOf(service, launch), 'trace')
  return isLive || isOwner ? [launch] : []
}

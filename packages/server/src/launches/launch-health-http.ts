// The handlers of summaries: launches of a list by outcome, the usual times of the app of a launch, and the
// health of an app. Each reads a bounded number of the newest launches. Contract §3.

import type { HasApps } from '../apps/app-directory.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { parseFind } from '../http/input/pagination.ts'
import { requireAccess } from '../kernel/access.ts'
import { rfc3339 } from '../kernel/time.ts'
import { isAllowed } from '../kernel/user.ts'
import type { LaunchFilter, LaunchScope } from './launch-filter-store.ts'
import {
  buildQuantiles,
  buildUsualSpans,
  countOutcomes,
  decideSuccessRate,
} from './launch-health.ts'
import type {
  APP_HEALTH,
  LAUNCH_PRACTICES,
  LAUNCH_SUMMARY,
  USUAL_TIMES,
} from './launch-health-schema.ts'
import { listReadyLaunches } from './launch-health-store.ts'
import { causeBodies, loadScope, parseFilter } from './launch-list-http.ts'
import { listCauses, listRecent } from './launch-list-store.ts'
import { listPractices } from './launch-practices-store.ts'
import { loadLaunch } from './launches-http.ts'

type Parts = HasApps & HasConfig & HasDatabase

const WINDOW_MS = 7 * 24 * 60 * 60_000
/** Of the newest launches of a list. */
const MAX_COUNTED = 2000

export async function summarizeLaunches(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCH_SUMMARY>> {
  const filter = { ...parseFilter(service, call), outcome: undefined }
  const scope = await loadScope(service, call, filter)
  return { status: 200, body: await loadSummary(service, scope, withWindow(filter, call.now)) }
}

interface WindowedFilter extends LaunchFilter {
  readonly from: number
  readonly to: number
}

const withWindow = (filter: LaunchFilter, now: number): WindowedFilter => {
  const to = filter.to ?? now + 1
  return { ...filter, from: filter.from ?? to - WINDOW_MS, to }
}

async function loadSummary({ db }: HasDatabase, scope: LaunchScope, filter: WindowedFilter) {
  const found = await listRecent(db, scope, filter, MAX_COUNTED + 1)
  const recent = found.slice(0, MAX_COUNTED)
  const readyMs = recent.flatMap((launch) => launch.readyMs ?? [])
  return {
    from: rfc3339(filter.from),
    to: rfc3339(filter.to),
    launches: recent.length,
    isCapped: found.length > MAX_COUNTED,
    outcomes: countOutcomes(recent),
    successRate: decideSuccessRate(recent),
    toReady: buildQuantiles(readyMs) ?? null,
  }
}

/** What a picker shows at once. */
const MAX_PRACTICES = 50

/** Where the launches ran that the caller sees. An account without one of them is not named. */
export async function listPracticesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCH_PRACTICES>> {
  const filter = withWindow(parseFilter(service, call), call.now)
  const scope = await loadScope(service, call, filter)
  const find = parseFind(call.query)
  const items = await listPractices(service.db, scope, filter, find, MAX_PRACTICES)
  return { status: 200, body: { items } }
}

/** What this app usually takes, and a launch of it that became ready, to compare with. */
export async function showUsualTimes(
  service: Parts,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof USUAL_TIMES>> {
  const launch = await loadLaunch(service, call)
  const from = call.now - WINDOW_MS
  const ready = (await listReadyLaunches(service.db, launch.appId, from)).filter(
    ({ id, kind }) => kind === launch.kind && id !== launch.id,
  )
  const { person } = call
  const app = await service.apps.findApp(launch.appId)
  const isVendor = app !== undefined && isAllowed(person, app.accountId, 'develop')
  const lastReady = ready.find(
    ({ userId, practiceId }) =>
      isVendor || userId === person.user.id || isAllowed(person, practiceId, 'run'),
  )
  return {
    status: 200,
    body: {
      from: rfc3339(from),
      launches: ready.length,
      spans: buildUsualSpans(ready),
      ...(lastReady ? { lastReadyLaunchId: lastReady.id } : {}),
    },
  }
}

export async function showAppHealth(
  service: Parts,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof APP_HEALTH>> {
  const app = requireAccess(call, 'app', await service.apps.findApp(call.params.id))
  const asked = { ...parseFilter(service, call), appId: app.id }
  const filter = withWindow(asked, call.now)
  const ofApp: LaunchScope = {
    ...{ isEverything: true, practiceIds: [], vendorIds: [], vendorAppIds: undefined },
  }
  const summary = await loadSummary(service, ofApp, filter)
  const causes = await listCauses(service.db, ofApp, filter)
  const ready = await listReadyLaunches(service.db, app.id, filter.from)
  return {
    status: 200,
    body: {
      app: { id: app.id, name: app.name },
      ...summary,
      spans: buildUsualSpans(ready),
      causes: await causeBodies(service, causes),
    },
  }
}

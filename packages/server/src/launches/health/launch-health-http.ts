// The handlers of summaries: launches of a list by outcome, causes of failures, practices, the usual times of
// the app of a launch, and the health of an app. Each reads a bounded number of the newest launches; the rules
// that compute the numbers stand at the end. Contract §3.

import { type LaunchSpanName, SPAN_PARTIES } from '@chartside/protocol/launch'
import type { HasApps } from '../../apps/app-directory.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../../http/call.ts'
import { parseSearch } from '../../http/input/pagination.ts'
import { requireAccess } from '../../kernel/access.ts'
import { explainReason } from '../../kernel/reasons.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { isAllowed, isReached } from '../../kernel/user.ts'
import { FINDINGS, type FindingCode } from '../../preflight/finding.ts'
import { loadLaunch } from '../launch-access.ts'
import type { CAUSES, LAUNCH_CAUSE } from '../launch-schema.ts'
import type { LaunchScope } from '../list/launch-filter-store.ts'
import { countFailed, type LaunchCause, listCauses, MAX_FAILED } from '../list/launch-list-store.ts'
import { listPractices } from '../list/launch-practices-store.ts'
import { loadScope, parseFilter } from '../list/launch-scope.ts'
import { type LaunchTimes, measureSpans } from '../timeline/spans.ts'
import { groupCauses } from './launch-causes.ts'
import type {
  APP_HEALTH,
  LAUNCH_PRACTICES,
  LAUNCH_SUMMARY,
  USUAL_SPAN,
  USUAL_TIMES,
} from './launch-health-schema.ts'
import { listReadyLaunches } from './launch-health-store.ts'
import { buildQuantiles, loadNewest, loadSummary, WINDOW_MS, withWindow } from './launch-summary.ts'

type Parts = HasApps & HasConfig & HasDatabase

export async function summarizeLaunches(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCH_SUMMARY>> {
  const filter = { ...parseFilter(service, call), outcome: undefined }
  const scope = await loadScope(service, call, filter)
  return { status: 200, body: await loadSummary(service, scope, withWindow(filter, call.now)) }
}

/** A picker shows as many. */
const MAX_PRACTICES = 50

/** Lists the practices of the launches that the caller sees. An account without one of them is not named. */
export async function listPracticesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCH_PRACTICES>> {
  const filter = withWindow(parseFilter(service, call), call.now)
  const scope = await loadScope(service, call, filter)
  const q = parseSearch(call.query)
  const items = await listPractices(service.db, scope, filter, q, MAX_PRACTICES)
  return { status: 200, body: { items } }
}

/** Shows how long this app usually takes, and a launch of it that became ready, to compare with. */
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
      isVendor ||
      (userId === person.user.id && isReached(person, practiceId)) ||
      isAllowed(person, practiceId, 'run'),
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
  const summary = await loadNewest(service.db, ofApp, filter)
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

export async function listCausesOf(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof CAUSES>> {
  const asked = parseFilter(service, call)
  const filter = { ...asked, from: asked.from ?? (asked.to ?? call.now) - WINDOW_MS }
  const scope = await loadScope(service, call, filter)
  const failed = await countFailed(service.db, scope, filter)
  const causes = failed === 0 ? [] : await listCauses(service.db, scope, filter)
  return {
    status: 200,
    body: {
      items: await causeBodies(service, causes),
      launches: Math.min(failed, MAX_FAILED),
      isCapped: failed > MAX_FAILED,
    },
  }
}

/** Explains the cause: for a page that did not open it is the finding. */
export function explainCause(reason: string, code = ''): string {
  const isFinding = reason === 'page_not_opened' && Object.hasOwn(FINDINGS, code)
  return isFinding ? FINDINGS[code as FindingCode].cause : explainReason(reason).cause
}

/** More causes, and more apps of one, say nothing to a reader. */
const MAX_CAUSES = 100
const MAX_APPS = 20

async function causeBodies(
  service: HasApps,
  causes: readonly LaunchCause[],
): Promise<PayloadOf<typeof LAUNCH_CAUSE>[]> {
  const groups = groupCauses(causes).slice(0, MAX_CAUSES)
  const ids = new Set(groups.flatMap(({ apps }) => apps.slice(0, MAX_APPS)).map((one) => one.appId))
  const named = [...ids].map(
    async (id) => [id, (await service.apps.findApp(id))?.name ?? 'a deleted app'] as const,
  )
  const names = new Map(await Promise.all(named))
  return groups.map(({ apps, firstAt, lastAt, code, reason, ...cause }) => {
    const [first, ...others] = apps.slice(0, MAX_APPS).map(({ appId, count, exampleLaunchId }) => ({
      ...{ app: { id: appId, name: names.get(appId) ?? appId }, count, exampleLaunchId },
    }))
    if (!first) throw new Error('A cause is of an app.')
    return {
      ...{ ...cause, reason, cause: explainCause(reason, code), app: first.app },
      ...{ apps: [first, ...others], appCount: apps.length },
      ...{ firstAt: rfc3339(firstAt), lastAt: rfc3339(lastAt) },
      ...(code === undefined ? {} : { code }),
    }
  })
}

/** Builds the spans in causal order; a span that no launch has measured is left out. */
function buildUsualSpans(launches: readonly LaunchTimes[]): PayloadOf<typeof USUAL_SPAN>[] {
  const measured = Map.groupBy(launches.flatMap(measureSpans), ([span]) => span)
  return (Object.keys(SPAN_PARTIES) as LaunchSpanName[]).flatMap((span) => {
    const quantiles = buildQuantiles((measured.get(span) ?? []).map(([, ms]) => ms))
    return quantiles ? [{ span, party: SPAN_PARTIES[span], ...quantiles }] : []
  })
}

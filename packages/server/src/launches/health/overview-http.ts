// The handler of the overview "Is it well?" for the platform, a practice and a vendor: parse, load the counts that the
// caller sees, decide, reply. What a practice and a vendor see is the rule of the list of launches. Contract §16.
import type { HasApps } from '../../apps/app-directory.ts'
import { listOccurrences } from '../../cluster/occurrence-store.ts'
import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import type { Answer, PayloadOf, PersonCall } from '../../http/call.ts'
import { notAllowed } from '../../kernel/access.ts'
import type { HasClock } from '../../kernel/randomness.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { LaunchScope } from '../list/launch-filter-store.ts'
import { type LaunchCause, listCauses } from '../list/launch-list-store.ts'
import { loadScope, parseFilter } from '../list/launch-scope.ts'
import {
  countPlaces,
  findNewestCount,
  listMoments,
  listSlotCounts,
  listUses,
  type UseCount,
} from './launch-count-store.ts'
import { explainCause } from './launch-health-http.ts'
import {
  buildSeries,
  decideWindows,
  type Figure,
  findIncidents,
  type Incident,
  median,
  OVERVIEW_HOURS,
  rankPractices,
  shareOf,
} from './overview.ts'
import { listChanges } from './overview-change-store.ts'
import type { HEALTH_OVERVIEW } from './overview-schema.ts'

type Parts = HasApps & HasClock & HasConfig & HasDatabase
type Overview = PayloadOf<typeof HEALTH_OVERVIEW>

/** Of so many apps, those with the most failures, the stretches of failures are looked at. */
const MAX_FAILING = 40
const MAX_PRACTICES = 10
const MAX_INCIDENTS = 20

export async function showOverview(
  service: Parts,
  call: PersonCall,
): Promise<Answer<200, typeof HEALTH_OVERVIEW>> {
  const { db } = service
  const { now } = call
  const hours = OVERVIEW_HOURS.find((one) => String(one) === call.query.hours) ?? 24
  const filter = parseFilter(service, call)
  const scope = await loadScope(service, call, filter)
  const isNone = scope.practiceIds.length + scope.vendorIds.length === 0
  if (isNone && !scope.isEverything) throw notAllowed('develop')
  // Own launches of a person are no part of it.
  const counted: LaunchScope = { ...scope, ofUsers: [] }
  const windows = decideWindows(hours, now)
  const { from } = windows
  const [slots, places, uses, changes, newest, parts] = await Promise.all([
    listSlotCounts(db, counted, windows, windows.slotMs),
    countPlaces(db, counted, windows),
    listUses(db, counted, from),
    listChanges(db, counted, from),
    findNewestCount(db),
    scope.isEverything ? loadServiceParts(service, now) : [],
  ])
  const failing = [...new Set(uses.filter(({ failed }) => failed > 0).map(({ appId }) => appId))]
  const moments = await listMoments(db, counted, failing.slice(0, MAX_FAILING), from)
  const incidents = findIncidents(moments, now).slice(0, MAX_INCIDENTS)
  const causes = incidents.length > 0 ? await listCauses(db, counted, { ...filter, from }) : []
  const nameOf = await loadNames(service, [...failing, ...incidents.map(({ appId }) => appId)])
  const series = buildSeries(slots, windows)
  const placesOf = (of: 'practices' | 'apps') =>
    figureBody({
      value: places.get(windows.before)?.[of] ?? 0,
      usual: median([...places].flatMap(([n, found]) => (n < windows.before ? found[of] : []))),
    })
  return {
    status: 200,
    body: {
      from: rfc3339(from),
      to: rfc3339(now),
      countedAt: newest === undefined ? null : rfc3339(newest),
      figures: {
        readyShare: figureBody(series.readyShare),
        launches: figureBody(series.launches),
        failed: figureBody(series.failed),
        mostWithinMs: figureBody(series.readyWithinMs),
        practices: placesOf('practices'),
        apps: placesOf('apps'),
      },
      slotMinutes: windows.slotMs / 60_000,
      slots: series.slots.map(({ at, launches, failed, ...slot }) => ({
        ...{ at: rfc3339(at), launches, failed, usualLaunches: slot.usualLaunches ?? null },
        halfWithinMs: slot.halfWithinMs ?? null,
        mostWithinMs: slot.mostWithinMs ?? null,
      })),
      incidents: incidents.map((incident) => incidentBody(incident, uses, causes, nameOf)),
      practices: rankPractices(uses)
        .slice(0, MAX_PRACTICES)
        .map(({ practice, launches, failed, worstAppId, ...rest }) => ({
          ...{ practice, launches, failed },
          readyShare: shareOf({ launches, failed, ...rest }) ?? null,
          worstApp: worstAppId === undefined ? null : { id: worstAppId, name: nameOf(worstAppId) },
        })),
      changes: changes.map(({ at, ...change }) => ({ at: rfc3339(at), ...change })),
      service: parts,
    },
  }
}

const figureBody = ({ value, usual }: Figure) => ({ value: value ?? null, usual: usual ?? null })

function incidentBody(
  { appId, isNow, since, until, launches, failed }: Incident,
  uses: readonly UseCount[],
  causes: readonly LaunchCause[],
  nameOf: (appId: string) => string,
): Overview['incidents'][number] {
  const cause = causes.find(
    (one) => one.appId === appId && one.lastAt >= since && one.firstAt <= until + HOUR_MS,
  )
  const practices = uses.filter((use) => use.appId === appId && use.failed > 0).length
  return {
    app: { id: appId, name: nameOf(appId) },
    ...{ isNow, since: rfc3339(since), until: rfc3339(until), launches, failed, practices },
    ...(cause && {
      reason: cause.reason,
      cause: explainCause(cause.reason, cause.code),
      exampleLaunchId: cause.exampleLaunchId,
    }),
  }
}

const HOUR_MS = 3_600_000

async function loadNames({ apps }: HasApps, ids: readonly string[]) {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, (await apps.findApp(id))?.name] as const),
  )
  const names = new Map(found)
  return (id: string) => names.get(id) ?? 'a deleted app'
}

const DAY_MS = 24 * HOUR_MS
const SLOW_MS = 500

async function loadServiceParts(
  { db, clock, config }: HasClock & HasConfig & HasDatabase,
  now: number,
): Promise<Overview['service']> {
  const { tookMs, occurrences } = await measureRead(db, clock)
  const done = (name: 'backup' | 'sweep', maxAgeMs: number) => {
    const at = occurrences.get(name)
    const state = at === undefined ? 'unknown' : now - at <= maxAgeMs ? 'good' : 'bad'
    return { name, state, at: at === undefined ? null : rfc3339(at), tookMs: null } as const
  }
  return [
    { name: 'database', state: tookMs < SLOW_MS ? 'good' : 'bad', at: null, tookMs },
    done('backup', 2 * DAY_MS),
    done('sweep', HOUR_MS),
    { name: 'mail', state: config.smtpUrl ? 'good' : 'unknown', at: null, tookMs: null },
  ]
}

async function measureRead(db: Database, clock: () => number) {
  const begun = clock()
  const occurrences = await listOccurrences(db)
  return { tookMs: Math.max(clock() - begun, 0), occurrences }
}

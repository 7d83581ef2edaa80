// The handler of the overview "Is it well?" for the platform, a practice and a vendor: parse, load the counts that the
// caller sees, decide, reply. What a practice and a vendor see is the rule of the list of launches. Contract §16.
import type { HasApps } from '../../apps/app-directory.ts'
import { PLATFORM } from '../../audit/audit.ts'
import { countRefusedSignIns } from '../../audit/refused-sign-in-store.ts'
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
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
  listTrends,
  listUses,
  type UseCount,
} from './launch-count-store.ts'
import { explainCause } from './launch-health-http.ts'
import {
  buildRefused,
  buildSeries,
  buildTrends,
  decideWindows,
  type Figure,
  findIncidents,
  type Incident,
  median,
  OVERVIEW_HOURS,
  type OverviewWindows,
  type Ranked,
  rank,
  shareOf,
} from './overview.ts'
import { type HealthChange, listChanges } from './overview-change-store.ts'
import type { HEALTH_OVERVIEW } from './overview-schema.ts'
import { loadServiceParts } from './overview-service-parts.ts'
import { findTaken } from './version-taken-store.ts'

type Parts = HasApps & HasClock & HasConfig & HasDatabase
type Overview = PayloadOf<typeof HEALTH_OVERVIEW>

/** The overview looks for stretches of failures in this many apps, those with the most failures. */
const MAX_FAILING = 40
const MAX_RANKED = 10
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
  const [slots, places, refused, uses, changes, newest, parts] = await Promise.all([
    listSlotCounts(db, counted, windows, windows.slotMs),
    countPlaces(db, counted, windows),
    loadRefused(service, counted, windows),
    listUses(db, counted, from),
    loadChanges(service, counted, from),
    findNewestCount(db),
    scope.isEverything ? loadServiceParts(service, now) : [],
  ])
  const failing = [...new Set(uses.filter(({ failed }) => failed > 0).map(({ appId }) => appId))]
  const moments = await listMoments(db, counted, failing.slice(0, MAX_FAILING), from)
  const incidents = findIncidents(moments, now).slice(0, MAX_INCIDENTS)
  const causes = incidents.length > 0 ? await listCauses(db, counted, { ...filter, from }) : []
  const series = buildSeries(slots, windows)
  const ranked = await loadRanked(service, counted, { uses, windows, slots: series.slots.length })
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
        refusedSignIns: refused,
      },
      slotMinutes: windows.slotMs / 60_000,
      slots: series.slots.map(({ at, launches, failed, ...slot }) => ({
        ...{ at: rfc3339(at), launches, failed, usualLaunches: slot.usualLaunches ?? null },
        halfWithinMs: slot.halfWithinMs ?? null,
        mostWithinMs: slot.mostWithinMs ?? null,
      })),
      incidents: incidents.map((incident) => incidentBody(incident, uses, causes, ranked.nameOf)),
      practices: ranked.practices,
      apps: ranked.apps,
      changes,
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

/** Refusals show that someone tries: only for those who administer the accounts. */
async function loadRefused(
  { db }: HasDatabase,
  { isEverything, practiceIds }: LaunchScope,
  windows: OverviewWindows,
): Promise<PayloadOf<typeof HEALTH_OVERVIEW>['figures']['refusedSignIns']> {
  const trails = isEverything ? [PLATFORM] : practiceIds
  if (trails.length === 0) return { value: null, usual: null }
  return figureBody(buildRefused(await countRefusedSignIns(db, trails, windows), windows))
}

async function loadRanked(
  service: HasApps & HasDatabase,
  scope: LaunchScope,
  {
    uses,
    windows,
    slots,
  }: {
    readonly uses: readonly UseCount[]
    readonly windows: OverviewWindows
    readonly slots: number
  },
): Promise<Pick<Overview, 'practices' | 'apps'> & { nameOf: (appId: string) => string }> {
  const practices = rank(uses, ({ practice }) => practice.id).slice(0, MAX_RANKED)
  const apps = rank(uses, ({ appId }) => appId).slice(0, MAX_RANKED)
  const { db } = service
  const failing = uses.filter(({ failed }) => failed > 0).map(({ appId }) => appId)
  const [ofPractices, ofApps, nameOf] = await Promise.all([
    listTrends(db, scope, { practices: practices.map(({ id }) => id) }, windows),
    listTrends(db, scope, { apps: apps.map(({ id }) => id) }, windows),
    loadNames(service, [...failing, ...apps.map(({ id }) => id)]),
  ])
  const body = (
    { id, launches, failed, ready }: Ranked,
    trendOf: ReturnType<typeof buildTrends>,
  ) => ({
    ...{ launches, failed },
    readyShare: shareOf({ launches, failed, ready }) ?? null,
    readyShares: trendOf(id).map((one) => one ?? null),
  })
  const trendOfPractice = buildTrends(ofPractices, slots)
  const trendOfApp = buildTrends(ofApps, slots)
  const named = (id: string) => ({ id, name: nameOf(id) })
  return {
    practices: practices.map((one) => ({
      practice: one.worst.practice,
      ...body(one, trendOfPractice),
      worstApp: one.worst.failed > 0 ? named(one.worst.appId) : null,
    })),
    apps: apps.map((one) => ({
      app: named(one.id),
      ...body(one, trendOfApp),
      worstPractice: one.worst.failed > 0 ? one.worst.practice : null,
    })),
    nameOf,
  }
}

/** A vendor counts who has taken a version, and names no practice. */
async function loadChanges(
  { db }: HasDatabase,
  scope: LaunchScope,
  from: number,
): Promise<Overview['changes']> {
  const { isEverything, practiceIds, vendorIds } = scope
  const named = isEverything ? 'all' : practiceIds
  const takenOf = async ({ kind, what: { id }, detail, ownerId = '' }: HealthChange) => {
    if (kind !== 'version_published') return null
    const isOwner = [...practiceIds, ...vendorIds].includes(ownerId)
    return findTaken(
      db,
      { id, version: Number(detail) },
      { counted: isOwner ? 'all' : named, named },
    )
  }
  return Promise.all(
    (await listChanges(db, scope, from)).map(async (change) => {
      const { at, kind, what, detail } = change
      return { at: rfc3339(at), kind, what, detail, taken: await takenOf(change) }
    }),
  )
}

async function loadNames({ apps }: HasApps, ids: readonly string[]) {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, (await apps.findApp(id))?.name] as const),
  )
  const names = new Map(found)
  return (id: string) => names.get(id) ?? 'a deleted app'
}

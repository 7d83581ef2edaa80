// The handlers of what an account runs, for its administrators: the version that its EHR sessions get, and no
// draft; the stop of an app in this account, of which its vendor and the platform get an event; and for the vendor
// where its app is stopped. Contract §16.

import { loadAccount } from '../accounts/account-access.ts'
import { loadApp } from '../apps/app-access.ts'
import { PLATFORM } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { notifyLaunchesEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { CollectionApp, CollectionVersion, EhrDefinition } from '../collections/collection.ts'
import { findRunVersion } from '../collections/collection-store.ts'
import type { Database, HasDatabase } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { isAllowed } from '../kernel/user.ts'
import { type AppUse, listAppUse } from '../launches/health/app-use-store.ts'
import { isStoppedHere, resumeApp, stopApp } from '../liveness/stopped-app-store.ts'
import { type ListedEhrStop, listEhrStops } from '../liveness/stopped-ehr-store.ts'
import {
  type APP_STOPS,
  LEARNED,
  type RUNNING,
  type RUNNING_APP,
  type STOP_BODY,
  type STOPPED_APP,
  type VERSION_CHANGE,
} from './running-schema.ts'
import { type AppHere, findCollectionOwner, listAppsHere, listStopsOfApp } from './running-store.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000

const NOTHING = {
  ...{ collection: null, version: null, follows: null, ehrs: [], apps: [], change: null },
} as const

export async function showRunning(
  { db }: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof RUNNING>> {
  const account = await loadAccount({ db }, call)
  const choice = account.collection
  const found = await findRunVersion(db, account)
  const collection = choice && (await findCollectionOwner(db, choice.id))
  if (!found || !collection) return { status: 200, body: NOTHING }
  const { ehrs, apps: listed } = found.content
  const appIds = listed.map(({ appId }) => appId)
  const [apps, stops, uses, change] = await Promise.all([
    listAppsHere(db, account.id, appIds),
    listEhrStops(db, appIds),
    listAppUse(db, account.id, call.now - WEEK_MS),
    findVersionChange(db, account.id, found),
  ])
  return {
    status: 200,
    body: {
      collection,
      version: found.version,
      follows: choice.version,
      ehrs,
      apps: listed.flatMap((item) => {
        const app = apps.get(item.appId)
        const stopsOf = stops.filter(({ appId }) => appId === item.appId)
        return app ? [runningApp(app, item, { ehrs, stops: stopsOf }, uses.get(app.id))] : []
      }),
      change,
    },
  }
}

/** Compares versions that are given to this account, so that it learns of no rollout elsewhere. */
async function findVersionChange(
  db: Database,
  accountId: string,
  runs: CollectionVersion,
): Promise<PayloadOf<typeof VERSION_CHANGE> | null> {
  const follower = {
    id: accountId,
    collection: { id: runs.collectionId, version: 'latest' as const },
  }
  const newest = await findRunVersion(db, follower)
  const isWaiting = newest !== undefined && newest.version > runs.version
  const before = isWaiting ? runs : await findRunVersion(db, follower, runs.version)
  if (!before) return null
  const { version, givenAt, content } = isWaiting ? newest : runs
  const appIds = [...before.content.apps, ...content.apps].map(({ appId }) => appId)
  const apps = await listAppsHere(db, accountId, [...new Set(appIds)])
  return {
    ...{ version, isWaiting, givenAt: rfc3339(givenAt) },
    ...{ before: before.content, after: content },
    apps: [...apps.values()].map(({ id, name }) => ({ id, name })),
  }
}

function runningApp(
  { id, name, vendor, isEnabled, isSmart, stopped }: AppHere,
  { ehrTypes, autoLaunch, onChartChange = 'relaunch' }: CollectionApp,
  {
    ehrs,
    stops,
  }: { readonly ehrs: readonly EhrDefinition[]; readonly stops: readonly ListedEhrStop[] },
  use: AppUse | undefined,
): PayloadOf<typeof RUNNING_APP> {
  const decided = use ? use.ready + use.failed : 0
  const here = ehrs
    .map(({ ehrType }) => ehrType)
    .filter((ehrType) => ehrTypes?.includes(ehrType) ?? true)
  return {
    app: { id, name, vendor },
    ehrTypes: here,
    autoLaunch,
    onChartChange: isSmart ? 'relaunch' : onChartChange,
    learns: use && use.ready > 0 ? listLearned(use) : [],
    lastLaunchAt: use?.lastAt === undefined ? null : rfc3339(use.lastAt),
    launches: use?.launches ?? 0,
    readyShare: use === undefined || decided === 0 ? null : use.ready / decided,
    enabled: isEnabled,
    stopped: stopped ? { ...stopped, at: rfc3339(stopped.at) } : null,
    offOn: here.filter((ehrType) => stops.some((stop) => stop.ehrType === ehrType)),
  }
}

/** Lists the claims by the scopes with which the codes of the app were issued. */
const listLearned = ({ hasProfile, hasEmail }: AppUse) =>
  LEARNED.filter((claim) => (claim !== 'name' || hasProfile) && (claim !== 'email' || hasEmail))

export async function stopAppHere(
  service: HasDatabase & HasRandomness & HasSubscriptions,
  call: PersonCall<'id' | 'appId', typeof STOP_BODY>,
): Promise<Answer<200, typeof STOPPED_APP>> {
  const { accountId, app } = await loadAppHere(service, call)
  const { reason } = call.body
  call.auditNotes.reason = reason
  const stop = { accountId, appId: app.id, reason, by: call.person.user.id, at: call.now }
  const events = buildEvents(service, call, app, { account: accountId, reason })
  const ended = await stopApp(service.db, stop, events)
  await notifyLaunchesEnded(service, ended)
  call.log.info({ account: accountId, app: app.id, launches: ended.length }, 'app stopped here')
  const body = { appId: app.id, at: rfc3339(call.now), reason, endedLaunches: ended.length }
  return { status: 200, body }
}

export async function letAppRun(
  service: HasDatabase & HasRandomness,
  call: PersonCall<'id' | 'appId'>,
): Promise<Answer<204>> {
  const { accountId, app } = await loadAppHere(service, call)
  const here = { accountId, appId: app.id }
  const events = buildEvents(service, call, app, { account: accountId }, isStoppedHere(here))
  await resumeApp(service.db, { ...here, at: call.now }, events)
  return { status: 204 }
}

/** The vendor sees the practice and no person, as in the event that it gets. */
export async function showAppStops(
  { db }: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof APP_STOPS>> {
  const { id } = await loadApp({ db }, call)
  const { count, stops } = await listStopsOfApp(db, id)
  const shown = stops.map(({ by, at, ...stop }) => ({
    ...stop,
    at: rfc3339(at),
    by: isAllowed(call.person, stop.account.id, 'run') ? by : null,
  }))
  return { status: 200, body: { count, stops: shown } }
}

/** An app of the version that the account runs, or one that it has stopped. @throws ApiError 404 */
async function loadAppHere(
  { db }: HasDatabase,
  call: Omit<PersonCall<'id' | 'appId'>, 'body'>,
): Promise<{ accountId: string; app: AppHere }> {
  const account = await loadAccount({ db }, call)
  const { id: accountId } = account
  const { appId } = call.params
  const app = (await listAppsHere(db, accountId, [appId])).get(appId)
  const found = await findRunVersion(db, account)
  const isListed = found?.content.apps.some((item) => item.appId === appId) ?? false
  if (!app || !(isListed || app.stopped)) throw notFound('app')
  return { accountId, app }
}

/** Builds the events for the trails of the platform and the vendor, who sees the practice and no person. */
function buildEvents(
  { randomness }: HasRandomness,
  { address, now, person, traceId }: Pick<PersonCall, 'address' | 'now' | 'person' | 'traceId'>,
  { id, vendor }: AppHere,
  detail: { readonly account: string; readonly reason?: string },
  condition?: Statement,
) {
  const { account: accountId, reason } = detail
  const event = {
    ...{ at: now, target: id, launchId: undefined, outcome: 'ok' as const },
    action: reason === undefined ? 'letAppRunInAccount' : 'stopAppInAccount',
    detail: { trace: traceId, ...detail },
  }
  const ofVendor = { accountId: vendor.id, actor: accountId, ip: '' }
  const ofPlatform = { accountId: PLATFORM, actor: person.user.id, ip: address }
  return [...(vendor.id === accountId ? [] : [ofVendor]), ofPlatform].map((one) =>
    insertEventStatement({ ...event, ...one, id: newId('evt', now, randomness) }, condition),
  )
}

// The handlers of launches: open one, store the steps that the host reports, show the timeline. Only
// the user of an EHR session opens launches in it; the app's owner may read their timelines. Never
// writes a code or a token. Contract §3.
import type { HasApps } from '../apps/app-directory.ts'
import { findApp } from '../apps/app-store.ts'
import { findStoredSecrets } from '../apps/client-secret-store.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import { notFound } from '../kernel/errors.ts'
import { newId, redactBearers } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { isAllowed, type Person } from '../kernel/user.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { loadSession, sessionEnded } from '../sessions/session-access.ts'
import type { Launch } from './launch.ts'
import { insertLaunchFailure, listLaunchFailures } from './launch-failure-store.ts'
import { appDisabled, loadLaunchable, prepareLaunch } from './launch-opening.ts'
import type { LAUNCH, LAUNCH_BODY, OPENED_LAUNCH, STEP_BODY } from './launch-schema.ts'
import { findLaunch, insertLaunchStatements, updateHostStep } from './launch-store.ts'
import type { HasResponseTimes } from './response-times.ts'
import { buildLaunchView } from './timeline.ts'

type Parts = HasApps & HasConfig & HasDatabase

export async function openLaunch(
  service: HasApps &
    HasConfig &
    HasDatabase &
    HasKeys &
    HasMetrics &
    HasRandomness &
    HasSubscriptions,
  call: PersonCall<'id', typeof LAUNCH_BODY>,
): Promise<Answer<201, typeof OPENED_LAUNCH>> {
  const session = await loadSession(service, call, call.params.id)
  if (session.ended) throw sessionEnded()
  const { appId, kind } = call.body
  const launchable = await loadLaunchable(service, session, appId, kind)
  const { launch, event, body } = prepareLaunch(service, call, session, launchable)
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const [rows] = await service.db.write(...insertLaunchStatements(launch, event, cutoff))
  if (rows?.length !== 1) {
    throw (await findApp(service.db, appId))?.enabled ? sessionEnded() : appDisabled()
  }
  void service.subscriptions.notify(session.id, { launchId: launch.id })
  service.metrics.noteLaunch('opened')
  call.log.debug({ launch: launch.id, app: launchable.app.name, kind }, 'launch created')
  return { status: 201, headers: { 'cache-control': 'no-store' }, body }
}

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

/** The launches with their timelines: one statement for the failures of all of them. */
export async function loadLaunchViews(
  service: Parts,
  launches: readonly Launch[],
  { now, person }: { readonly now: number; readonly person: Person },
): Promise<PayloadOf<typeof LAUNCH>[]> {
  const failures = await listLaunchFailures(service.db, launches)
  const cutoff = livenessCutoff(now, service.config.sessionIdleSeconds)
  const apps = await Promise.all(launches.map(({ appId }) => service.apps.findApp(appId)))
  const isOwned = apps.map(
    (app) => app !== undefined && isAllowed(person, app.accountId, 'develop'),
  )
  const owned = launches.filter((_, i) => isOwned[i])
  const secrets = await findStoredSecrets(service.db, listSecretIds(owned, failures))
  return launches.map((launch, i) => {
    const { sub, account } = launch.context
    const seesName = sub === person.user.id || isAllowed(person, account.id, 'run')
    const reader = { ownedApp: isOwned[i] ? apps[i] : undefined, secrets, seesName }
    const name = apps[i]?.name ?? 'a deleted app'
    return buildLaunchView(launch, name, failures.get(launch.id) ?? [], cutoff, reader)
  })
}

/** The secrets that the exchanges of these launches used or tried. */
function listSecretIds(
  launches: readonly Launch[],
  failures: Awaited<ReturnType<typeof listLaunchFailures>>,
): string[] {
  const ids = launches.flatMap(({ id, exchangeClient }) => [
    exchangeClient?.secretId,
    ...(failures.get(id) ?? []).map(({ client }) => client?.secretId),
  ])
  return [...new Set(ids.filter((id) => id !== undefined))]
}

export async function showLaunch(
  service: Parts,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LAUNCH>> {
  const launch = await loadLaunch(service, call)
  const [view] = await loadLaunchViews(service, [launch], call)
  if (!view) throw notFound('launch')
  return { status: 200, body: view }
}

export async function reportStep(
  service: HasResponseTimes & HasApps & HasDatabase & HasMetrics & HasRandomness & HasSubscriptions,
  call: PersonCall<'id', typeof STEP_BODY>,
): Promise<Answer<204>> {
  const launch = await loadLaunch(service, call)
  const { step, outcome, code } = call.body
  if (outcome === 'ok') {
    const answeredAt = service.responseTimes.find(launch.id, 'exchange')
    await updateHostStep(service.db, launch, step, call.now, answeredAt, call.body.page)
    if (step === 'context') {
      service.metrics.noteLaunch('ready')
      service.metrics.noteTimeToReady((call.now - launch.createdAt) / 1000)
    }
  } else {
    service.metrics.noteLaunch('failed', 'host_reported')
    const detail = call.body.detail && redactBearers(call.body.detail)
    // Its text is the app's, and may name a person; the timeline has it. [V11]
    const { id, appId: app } = launch
    call.log.warn({ launch: id, app, step, code }, 'the host reports a failure')
    await insertLaunchFailure(service.db, {
      id: newId('evt', call.now, service.randomness),
      launchId: launch.id,
      part: launch.part,
      step,
      code: code ?? 'FAILED',
      reason: 'host_reported',
      detail,
      traceId: call.traceId,
      failedAt: call.now,
    })
  }
  void service.subscriptions.notify(launch.sessionId, { launchId: launch.id })
  return { status: 204 }
}

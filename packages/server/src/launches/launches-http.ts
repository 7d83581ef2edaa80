// The handlers of launches: open one, store the steps that the host reports, show the timeline. Only
// the user of an EHR session opens launches in it; the app's owner may read their timelines. Never
// writes a code or a token. Contract §3.
import type { HasApps } from '../apps/app-directory.ts'
import { findApp } from '../apps/app-store.ts'
import { notifyLaunchesEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { requireMatch } from '../http/input/conditional.ts'
import { isAllowedOn, notAllowed, requireAccess } from '../kernel/access.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId, redactBearers } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import { findStopReason } from '../liveness/stopped-app-store.ts'
import { isStoppedOnEhr } from '../liveness/stopped-ehr-store.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { loadSession, sessionEnded } from '../sessions/session-access.ts'
import { loadLaunch } from './launch-access.ts'
import {
  appDisabled,
  appStopped,
  appStoppedOnEhr,
  loadLaunchable,
  prepareLaunch,
} from './launch-opening.ts'
import type { LAUNCH, LAUNCH_BODY, OPENED_LAUNCH, STEP_BODY } from './launch-schema.ts'
import {
  appendChartChange,
  endLaunch,
  findLaunch,
  insertLaunchStatements,
  updateHostStep,
} from './launch-store.ts'
import type { HasResponseTimes } from './response-times.ts'
import { insertLaunchFailure } from './timeline/launch-failure-store.ts'
import { loadLaunchViews } from './timeline/launch-views.ts'

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
    if (!(await findApp(service.db, appId))?.enabled) throw appDisabled()
    const { ehrType } = session
    if (await isStoppedOnEhr(service.db, { appId, ehrType })) throw appStoppedOnEhr()
    const stopped = await findStopReason(service.db, { accountId: session.account.id, appId })
    throw stopped === undefined ? sessionEnded() : appStopped(stopped)
  }
  void service.subscriptions.notify(session.id, { launchId: launch.id })
  service.metrics.noteLaunch('opened')
  call.log.debug({ launch: launch.id, app: launchable.app.name, kind }, 'launch created')
  return { status: 201, headers: { 'cache-control': 'no-store' }, body }
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
  const { step, outcome, code, chart } = call.body
  if (step === 'chart_changed' || chart) {
    if (step !== 'chart_changed' || !chart || outcome !== 'ok') throw unclearChartChange()
    await appendChartChange(service.db, launch, { ...chart, at: call.now })
  } else if (outcome === 'ok') {
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

const unclearChartChange = () =>
  new ApiError(
    'invalid_request',
    'The step chart_changed has the outcome ok and the member chart.',
    [{ field: '/chart', message: 'Belongs to the step chart_changed, and is required there.' }],
  )

/**
 * Ends one launch: its host when the frame of the app closes, an administrator of the account or of the
 * platform at any time. Its code and its token end in the same write. A developer of the app may read the
 * timeline and end nothing: they disable the app. Contract §3.
 */
export async function removeLaunch(
  service: Parts & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const { person, permission } = call
  const found = await findLaunch(service.db, call.params.id)
  const userId = found?.context.sub ?? ''
  const accountId = found?.context.account.id ?? ''
  if (found && !isAllowedOn(person, { userId, accountId }, permission)) {
    const app = await service.apps.findApp(found.appId)
    const owner = { userId, accountId: app?.accountId ?? '' }
    if (isAllowedOn(person, owner, 'trace')) throw notAllowed(permission)
  }
  const launch = requireAccess(call, 'launch', found, { userId, accountId })
  if (call.ifMatch !== undefined) {
    const [view] = await loadLaunchViews(service, [launch], call)
    requireMatch(call.ifMatch, view ?? {})
  }
  const isChartChanged = call.query.reason === 'chart_changed'
  const byHost = isChartChanged ? 'chart_changed' : 'closed'
  const reason = person.user.id === userId ? byHost : 'revoked'
  if (await endLaunch(service.db, launch, { at: call.now, reason })) {
    await notifyLaunchesEnded(service, [launch])
    call.log.info({ launch: launch.id, reason }, 'launch ended')
  }
  return { status: 204 }
}

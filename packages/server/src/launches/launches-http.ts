// The edge of launches: open one for a host, take the steps that the host saw, show the timeline.
// Only the person whose session it is opens launches in it; the app's owner may read their story.
// Contract §3.

import type { AppKind } from '@chartside/protocol/launch'
import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import { type App, listOrigins } from '../apps/app.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { hashBearer, isSameHash, newId, parseBearer, redactBearers } from '../kernel/identifiers.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import type { EhrSession } from '../sessions/session.ts'
import { loadSession } from '../sessions/session-access.ts'
import { buildLaunchId, type Launch, type LaunchContext } from './launch.ts'
import type {
  LAUNCH,
  LAUNCH_APP,
  LAUNCH_BODY,
  LAUNCHES,
  OPENED_LAUNCH,
  STEP_BODY,
} from './launch-schema.ts'
import {
  findLaunch,
  insertLaunch,
  insertLaunchFailure,
  listLaunches,
  listLaunchFailures,
  updateHostStep,
} from './launch-store.ts'
import { buildLaunchView } from './timeline.ts'

export async function openLaunch(
  service: Service,
  call: PersonCall<'id', typeof LAUNCH_BODY>,
): Promise<Answer<201, typeof OPENED_LAUNCH>> {
  const session = await loadSession(service, call, call.params.id)
  if (!session.isLive) throw sessionEnded()
  const { appId, kind } = call.body
  const { app, url } = await loadLaunchable(service, session, appId, kind)

  const id = newId('lau', call.now, service.randomness)
  const launchId = buildLaunchId(service.keys.launchKey, id)
  const expiresAt = call.now + service.config.launchLifetimeSeconds * 1000
  const launch = {
    id,
    launchHash: hashBearer(launchId),
    appId: app.id,
    clientId: app.clientId,
    kind,
    sessionId: session.id,
    context: buildContext(session, call.person),
    createdAt: call.now,
    expiresAt,
  }
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  const event = buildLaunchEvent(service, call, {
    action: 'launch',
    actor: call.person.user.id,
    target: app.id,
    launchId: id,
  })
  const isStored = await insertLaunch(service.db, launch, event, cutoff)
  if (!isStored) throw sessionEnded()
  void service.subscriptions.notify(session.id, { launchId: id })
  call.log.debug({ launch: id, app: app.name, kind }, 'launch created')
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      id,
      launchId,
      launchUrl: buildUrlWithQuery(url, { launch_id: launchId }),
      expiresAt: rfc3339(expiresAt),
      app: launchApp(app),
      seed: {
        userId: session.userId,
        account: session.account,
        ehrType: session.ehrType,
        sessionId: session.id,
        deviceId: session.deviceId,
      },
    },
  }
}

const sessionEnded = () =>
  new ApiError('session_ended', 'Open a new EHR session; the provider may have to sign in again.')

/** The app and the URL to open, when the app runs in this session in this kind. */
async function loadLaunchable(
  service: Service,
  session: EhrSession,
  appId: string,
  kind: AppKind,
): Promise<{ app: App; url: string }> {
  const app = await service.apps.findApp(appId)
  const isListed = session.apps.some((item) => item.id === appId)
  if (!app || !isListed) {
    throw new ApiError(
      'app_not_available',
      'The collection version of this EHR session does not have this app. Add it to the collection, publish, and open a new session.',
    )
  }
  if (!app.enabled) throw new ApiError('app_not_available', 'The app is disabled.')
  const url = kind === 'ui' ? app.launchUrl : app.workerLaunchUrl
  if (url !== undefined) return { app, url }
  const field = kind === 'ui' ? 'launchUrl' : 'workerLaunchUrl'
  throw new ApiError('app_not_available', `The app has no ${field}; register one to launch it so.`)
}

function buildContext(session: EhrSession, { user }: Person): LaunchContext {
  return {
    sub: user.id,
    name: user.name,
    email: user.email,
    account: session.account,
    sid: session.id,
    ehr_type: session.ehrType,
    device_id: session.deviceId,
  }
}

const launchApp = (app: App): PayloadOf<typeof LAUNCH_APP> => ({
  id: app.id,
  name: app.name,
  ...(app.iconUrl === undefined ? {} : { iconUrl: app.iconUrl }),
  // With an identity provider the field is left blank by the specification (§5.3).
  ...(app.exchange !== 'identity_provider' && app.tokenEndpoint !== undefined
    ? { tokenEndpoint: app.tokenEndpoint }
    : {}),
  origins: listOrigins(app),
})

/** The launch of this call, when the caller is what the route needs. @throws ApiError 404 */
async function loadLaunch(service: Service, call: RecordCall): Promise<Launch> {
  const launch = await findLaunch(service.db, call.params.id)
  const app = launch && (await service.apps.findApp(launch.appId))
  const accountId = app?.accountId ?? ''
  return requireAccess(call, 'launch', launch, { userId: launch?.context.sub ?? '', accountId })
}

export async function viewLaunch(service: Service, launch: Launch, now: number) {
  const [app, failures] = await Promise.all([
    service.apps.findApp(launch.appId),
    listLaunchFailures(service.db, launch.id),
  ])
  return buildLaunchView(launch, app?.name ?? 'a deleted app', failures, now)
}

export async function showLaunch(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LAUNCH>> {
  const launch = await loadLaunch(service, call)
  return { status: 200, body: await viewLaunch(service, launch, call.now) }
}

export async function listLaunchesOf(
  service: Service,
  call: PersonCall,
): Promise<Answer<200, typeof LAUNCHES>> {
  const page = parsePage(call.query, '~')
  const { sessionId, launch_id: launchId } = call.query
  const found =
    launchId !== undefined
      ? await findLaunchByLaunchId(service, launchId)
      : await listLaunches(service.db, {
          ...(sessionId === undefined
            ? { userId: call.person.user.id }
            : {
                sessionId: (await loadSession(service, call, sessionId)).id,
              }),
          cursor: page.cursor,
          limit: page.limit + 1,
        })
  const views = await Promise.all(found.map((launch) => viewLaunch(service, launch, call.now)))
  return { status: 200, body: buildPage(views, page, (view) => view) }
}

/** Whoever holds a launch_id may read the launch that it names. */
async function findLaunchByLaunchId(service: Service, launchId: string): Promise<Launch[]> {
  const id = parseBearer('lnch', 'lau', launchId)
  const launch = id && (await findLaunch(service.db, id))
  return launch && isSameHash(launch.launchHash, hashBearer(launchId)) ? [launch] : []
}

export async function reportStep(
  service: Service,
  call: PersonCall<'id', typeof STEP_BODY>,
): Promise<Answer<204>> {
  const launch = await loadLaunch(service, call)
  const { step, outcome, code } = call.body
  if (outcome === 'ok') await updateHostStep(service.db, launch.id, step, call.now)
  else {
    const detail = call.body.detail && redactBearers(call.body.detail)
    call.log.warn({ launch: launch.id, step, code, detail }, 'host reports failure')
    await insertLaunchFailure(service.db, {
      id: newId('evt', call.now, service.randomness),
      launchId: launch.id,
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

// The handlers of launches: open one, store the steps that the host reports, show the timeline. Only
// the user of an EHR session opens launches in it; the app's owner may read their timelines. Never
// writes a code or a token. Contract §3.
import type { AppKind } from '@chartside/protocol/launch'
import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import { type App, listOrigins } from '../apps/app.ts'
import { findApp } from '../apps/app-store.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { hashBearer, newId, redactBearers } from '../kernel/identifiers.ts'
import { rfc3339 } from '../kernel/time.ts'
import { isAllowed, type Person } from '../kernel/user.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import type { EhrSession } from '../sessions/session.ts'
import { loadSession, sessionEnded } from '../sessions/session-access.ts'
import { buildLaunchId, type Launch, type LaunchContext } from './launch.ts'
import { insertLaunchFailure, listLaunchFailures } from './launch-failure-store.ts'
import type { LAUNCH, LAUNCH_APP, LAUNCH_BODY, OPENED_LAUNCH, STEP_BODY } from './launch-schema.ts'
import { findLaunch, insertLaunch, updateHostStep } from './launch-store.ts'
import { buildLaunchView } from './timeline.ts'

export async function openLaunch(
  service: Pick<Service, 'apps' | 'config' | 'db' | 'keys' | 'randomness' | 'subscriptions'>,
  call: PersonCall<'id', typeof LAUNCH_BODY>,
): Promise<Answer<201, typeof OPENED_LAUNCH>> {
  const session = await loadSession(service, call, call.params.id)
  if (session.ended) throw sessionEnded()
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
  if (!(await insertLaunch(service.db, launch, event, cutoff))) {
    throw (await findApp(service.db, app.id))?.enabled ? sessionEnded() : appDisabled()
  }
  void service.subscriptions.notify(session.id, { launchId: id })
  call.log.debug({ launch: id, app: app.name, kind }, 'launch created')
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      id,
      launchId,
      kind,
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

const appDisabled = () => new ApiError('app_not_available', 'The app is disabled.')

/** The app and the URL to open, when the app runs in this session in this kind. */
async function loadLaunchable(
  service: Pick<Service, 'apps'>,
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
  if (!app.enabled) throw appDisabled()
  const url = kind === 'ui' ? app.launchUrl : app.workerLaunchUrl
  if (url !== undefined) return { app, url }
  const field = kind === 'ui' ? 'launchUrl' : 'workerLaunchUrl'
  throw new ApiError(
    'app_not_available',
    `The app has no ${field}. Register one to launch the app as ${kind}.`,
  )
}

function buildContext(session: EhrSession, { user, signedInAt }: Person): LaunchContext {
  return {
    sub: user.id,
    name: user.name,
    email: user.email,
    account: session.account,
    sid: session.id,
    ehr_type: session.ehrType,
    device_id: session.deviceId,
    auth_time: Math.floor(signedInAt / 1000),
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

/** The launch of `:id`, when the caller has the permission of the route. @throws ApiError 404 */
async function loadLaunch(
  service: Pick<Service, 'apps' | 'db'>,
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
  service: Pick<Service, 'apps' | 'config' | 'db'>,
  launches: readonly Launch[],
  { now, person }: { readonly now: number; readonly person: Person },
): Promise<PayloadOf<typeof LAUNCH>[]> {
  const failures = await listLaunchFailures(
    service.db,
    launches.map(({ id }) => id),
  )
  const cutoff = livenessCutoff(now, service.config.sessionIdleSeconds)
  return Promise.all(
    launches.map(async (launch) => {
      const app = await service.apps.findApp(launch.appId)
      const name = app?.name ?? 'a deleted app'
      const ownedApp = app && isAllowed(person, app.accountId, 'develop') ? app : undefined
      return buildLaunchView(launch, name, failures.get(launch.id) ?? [], cutoff, ownedApp)
    }),
  )
}

export async function showLaunch(
  service: Pick<Service, 'apps' | 'config' | 'db'>,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LAUNCH>> {
  const launch = await loadLaunch(service, call)
  const [view] = await loadLaunchViews(service, [launch], call)
  if (!view) throw notFound('launch')
  return { status: 200, body: view }
}

export async function reportStep(
  service: Pick<Service, 'answers' | 'apps' | 'db' | 'randomness' | 'subscriptions'>,
  call: PersonCall<'id', typeof STEP_BODY>,
): Promise<Answer<204>> {
  const launch = await loadLaunch(service, call)
  const { step, outcome, code } = call.body
  if (outcome === 'ok') {
    const answeredAt = service.answers.find(launch.id, 'exchange')
    await updateHostStep(service.db, launch.id, step, call.now, answeredAt)
  } else {
    const detail = call.body.detail && redactBearers(call.body.detail)
    call.log.warn({ launch: launch.id, step, code, detail }, 'the host reports a failure')
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

// Prepares the launch of an app in an EHR session: which apps can be launched, the row, its audit event
// and the answer with the launch_id. Stores nothing. Contract §3.

import type { AppKind } from '@chartside/protocol/launch'
import { buildUrlWithQuery } from '@chartside/protocol/oauth'
import { type App, isSmart, listOrigins } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import type { LaunchEvent } from '../audit/audit-entry.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasConfig } from '../config/config.ts'
import type { PayloadOf, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import { hashBearer, newIdIn } from '../kernel/identifiers.ts'
import { partOfId } from '../kernel/partitions.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Person } from '../kernel/user.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import type { EhrSession } from '../sessions/session.ts'
import { buildLaunchId, type LaunchContext } from './launch.ts'
import type { LAUNCH_APP, OPENED_LAUNCH } from './launch-schema.ts'
import type { NewLaunch } from './launch-store.ts'

/** An app, and its URL for the kind. */
export interface Launchable {
  readonly app: App
  readonly kind: AppKind
  readonly url: string
}

export interface PreparedLaunch {
  readonly launch: NewLaunch
  readonly event: LaunchEvent
  readonly body: PayloadOf<typeof OPENED_LAUNCH>
}

export function prepareLaunch(
  service: HasConfig & HasKeys & HasRandomness,
  call: Pick<PersonCall, 'address' | 'now' | 'person' | 'traceId'>,
  session: EhrSession,
  { app, kind, url }: Launchable,
): PreparedLaunch {
  const id = newIdIn(partOfId(session.id), 'lau', call.now, service.randomness)
  const launchId = buildLaunchId(service.keys.launchKey, id)
  const expiresAt = call.now + service.config.launchLifetimeSeconds * 1000
  const { userId, account, ehrType, deviceId } = session
  return {
    launch: {
      id,
      launchHash: hashBearer(launchId),
      appId: app.id,
      clientId: app.clientId,
      kind,
      sessionId: session.id,
      context: buildContext(session, call.person),
      createdAt: call.now,
      expiresAt,
    },
    event: buildLaunchEvent(service, call, {
      action: 'launch',
      actor: call.person.user.id,
      target: app.id,
      launchId: id,
    }),
    body: {
      id,
      launchId,
      kind,
      launchUrl: buildUrlWithQuery(url, {
        launch_id: launchId,
        ...(isSmart(app) ? { launch: launchId, iss: service.config.issuerUrl } : {}),
      }),
      expiresAt: rfc3339(expiresAt),
      app: launchApp(app),
      seed: { userId, account, ehrType, sessionId: session.id, deviceId },
    },
  }
}

export const appDisabled = () => new ApiError('app_not_available', 'The app is disabled.')

export const appStoppedOnEhr = () =>
  new ApiError('app_not_available', 'The app is switched off on this EHR.')

/** @param reason in the words of the practice */
export const appStopped = (reason: string) =>
  new ApiError('app_not_available', `Your practice has stopped this app: ${reason}`)

/** The app and the URL to open, when the app runs in this session in this kind. */
export async function loadLaunchable(
  service: HasApps,
  session: EhrSession,
  appId: string,
  kind: AppKind,
): Promise<Launchable> {
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
  if (url !== undefined) return { app, kind, url }
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
  ...(app.launchStyle === undefined ? {} : { launchStyle: app.launchStyle }),
  // With an identity provider the field is left blank by the specification (§5.3).
  ...(app.exchange !== 'identity_provider' && app.tokenEndpoint !== undefined
    ? { tokenEndpoint: app.tokenEndpoint }
    : {}),
  origins: listOrigins(app),
})

// The edge of EHR sessions: open one, look at it, end it. What runs in a session is decided when it
// opens, by the account's collection version. Contract §3.
import type { SessionApp } from '@chartside/protocol/launch'
import type { FromSchema } from 'json-schema-to-ts'
import { findAccount } from '../accounts/account-store.ts'
import type { App } from '../apps/app.ts'
import { type CollectionApp, decideSessionContent } from '../collections/collection.ts'
import { findVersion } from '../collections/collection-store.ts'
import { ApiError } from '../errors.ts'
import { requireMatch } from '../http/conditional.ts'
import { created, type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { momentOf } from '../sign-in/sign-in.ts'
import { admitTo } from '../users/access.ts'
import type { EhrSession } from './session.ts'
import { endSession, findSession, insertSession } from './session-store.ts'

export const SESSION_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['accountId', 'ehrType', 'deviceId'],
  properties: {
    accountId: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
    ehrType: { type: 'string', minLength: 1, maxLength: 64, examples: ['meadow'] },
    deviceId: { type: 'string', minLength: 1, maxLength: 128, examples: ['exam-room-2'] },
  },
} as const

export const sessionBody = (session: EhrSession) => ({
  id: session.id,
  userId: session.userId,
  account: session.account,
  ehrType: session.ehrType,
  deviceId: session.deviceId,
  state: session.isLive ? 'live' : 'ended',
  collection: session.collection ?? null,
  ehr: session.ehr ?? null,
  apps: session.apps,
  createdAt: rfc3339(session.createdAt),
})

export async function openSession(
  service: Service,
  call: PersonCall<FromSchema<typeof SESSION_BODY>>,
): Promise<Reply> {
  const { accountId, ehrType, deviceId } = call.body
  const found = await findAccount(service.db, accountId)
  const account = admitTo(call, 'account', found, { accountId })
  const session: EhrSession = {
    id: newId('ses', call.now, service.randomness),
    signInId: call.person.signInId,
    userId: call.person.user.id,
    account: { id: account.id, name: account.name },
    ehrType,
    deviceId,
    ...(await loadContent(service, account.collection, ehrType)),
    createdAt: call.now,
    isLive: true,
    ending: 'session_ended',
  }
  if (
    !(await insertSession(
      service.db,
      session,
      momentOf(call.now, service.config.sessionIdleSeconds),
    ))
  ) {
    throw new ApiError(
      'not_signed_in',
      'You have signed out, or were removed from the account, meanwhile.',
    )
  }
  call.log.info({ session: session.id, account: account.name, ehrType }, 'EHR session opened')
  return created(`/api/sessions/${session.id}`, sessionBody(session))
}

/** What runs on this EHR by the account's collection version; nothing without a collection. */
async function loadContent(
  service: Service,
  choice: { id: string; version: number | 'latest' } | undefined,
  ehrType: string,
): Promise<Pick<EhrSession, 'collection' | 'ehr' | 'apps'>> {
  const version = choice && (await findVersion(service.db, choice.id, choice.version))
  if (!version) return { collection: undefined, ehr: undefined, apps: [] }
  const content = decideSessionContent(version.content, ehrType)
  if (!content) {
    const known = version.content.ehrs.map((ehr) => ehr.ehrType).join(', ') || 'none'
    throw new ApiError('invalid_request', `The account's collection has no EHR "${ehrType}".`, [
      { field: '/ehrType', message: `EHR kinds of this collection: ${known}.` },
    ])
  }
  const apps = await Promise.all(
    content.apps.map(async (item) => {
      const app = await service.apps.findApp(item.appId)
      return app?.enabled ? [sessionApp(app, item)] : []
    }),
  )
  const collection = { id: version.collectionId, version: version.version }
  return { collection, ehr: content.ehr, apps: apps.flat() }
}

function sessionApp(app: App, { autoLaunch }: CollectionApp): SessionApp {
  return {
    id: app.id,
    name: app.name,
    ...(app.iconUrl === undefined ? {} : { iconUrl: app.iconUrl }),
    kinds: [
      ...(app.launchUrl === undefined ? [] : (['ui'] as const)),
      ...(app.workerLaunchUrl === undefined ? [] : (['worker'] as const)),
    ],
    autoLaunch,
  }
}

/** The session of this call, when the caller is what the route needs. @throws ApiError 404 */
export async function loadSession(
  service: Service,
  call: Pick<PersonCall, 'params' | 'person' | 'needs'>,
): Promise<EhrSession> {
  const moment = momentOf(service.clock(), service.config.sessionIdleSeconds)
  const session = await findSession(service.db, call.params.id ?? '', moment)
  return admitTo(call, 'EHR session', session, { userId: session?.userId ?? '' })
}

export async function showSession(service: Service, call: PersonCall): Promise<Reply> {
  return { status: 200, body: sessionBody(await loadSession(service, call)) }
}

export async function removeSession(service: Service, call: PersonCall): Promise<Reply> {
  const session = await loadSession(service, call)
  requireMatch(call.ifMatch, sessionBody(session))
  const { id } = session
  await endSession(service.db, id, call.now)
  await service.watchers.notify(id, { ended: 'session_ended' })
  call.log.info({ session: id }, 'EHR session ended')
  return { status: 204 }
}

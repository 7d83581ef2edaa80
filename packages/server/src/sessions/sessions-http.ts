// The handlers of EHR sessions: open, show, end. The account's collection version decides at the
// opening which apps run in a session. Never opens a launch. Contract §3.
import { findAccount } from '../accounts/account-store.ts'
import type { App } from '../apps/app.ts'
import { type CollectionApp, decideSessionContent } from '../collections/collection.ts'
import { findVersion } from '../collections/collection-store.ts'
import { requireMatch } from '../http/input/conditional.ts'
import { created } from '../http/replies.ts'
import type { Answer, PersonCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import { notifySessionsEnded } from '../liveness/end-notification.ts'
import { livenessCutoff } from '../liveness/liveness.ts'
import type { Service } from '../service.ts'
import type { EhrSession, SessionApp } from './session.ts'
import { loadSession, sessionBody } from './session-access.ts'
import type { EHR_SESSION, SESSION_BODY } from './session-schema.ts'
import { endSession, insertSession } from './session-store.ts'

export async function openSession(
  service: Pick<Service, 'apps' | 'config' | 'db' | 'randomness'>,
  call: PersonCall<never, typeof SESSION_BODY>,
): Promise<Answer<201, typeof EHR_SESSION>> {
  const { accountId, ehrType, deviceId } = call.body
  const found = await findAccount(service.db, accountId)
  const account = requireAccess(call, 'account', found, { accountId })
  const session: EhrSession = {
    id: newId('ses', call.now, service.randomness),
    signInId: call.person.signInId,
    userId: call.person.user.id,
    account: { id: account.id, name: account.name },
    ehrType,
    deviceId,
    ...(await loadContent(service, account.collection, ehrType)),
    createdAt: call.now,
    ended: undefined,
  }
  const cutoff = livenessCutoff(call.now, service.config.sessionIdleSeconds)
  if (!(await insertSession(service.db, session, cutoff))) {
    throw new ApiError(
      'not_signed_in',
      'You have signed out, or were removed from the account, meanwhile.',
    )
  }
  call.log.info({ session: session.id, account: account.name, ehrType }, 'EHR session opened')
  return created(`/api/sessions/${session.id}`, sessionBody(session))
}

/** The content of the collection version for this EHR; empty without a collection. */
async function loadContent(
  service: Pick<Service, 'apps' | 'db'>,
  choice: { id: string; version: number | 'latest' } | undefined,
  ehrType: string,
): Promise<Pick<EhrSession, 'collection' | 'ehr' | 'apps'>> {
  const version = choice && (await findVersion(service.db, choice.id, choice.version))
  if (!version) return { collection: undefined, ehr: undefined, apps: [] }
  const content = decideSessionContent(version.content, ehrType)
  if (!content) {
    const types = version.content.ehrs.map((ehr) => ehr.ehrType).join(', ') || 'none'
    throw new ApiError('invalid_request', `The account's collection has no EHR "${ehrType}".`, [
      { field: '/ehrType', message: `EHR types of this collection: ${types}.` },
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

export async function showSession(
  service: Pick<Service, 'config' | 'db'>,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof EHR_SESSION>> {
  return { status: 200, body: sessionBody(await loadSession(service, call, call.params.id)) }
}

export async function removeSession(
  service: Pick<Service, 'config' | 'db' | 'subscriptions'>,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const session = await loadSession(service, call, call.params.id)
  requireMatch(call.ifMatch, sessionBody(session))
  const { id } = session
  await endSession(service.db, id, call.now)
  await notifySessionsEnded(service, [id], 'closed')
  call.log.info({ session: id }, 'EHR session ended')
  return { status: 204 }
}

// Prepares the EHR session that a request asks for: the account's collection version decides which apps
// run in it. Stores nothing: the launches room writes the session, alone or with its launches.
// Contract §3.

import type { Account } from '../accounts/account.ts'
import { findAccount } from '../accounts/account-store.ts'
import { type App, isSmart } from '../apps/app.ts'
import type { HasApps } from '../apps/app-directory.ts'
import { type CollectionApp, decideSessionContent } from '../collections/collection.ts'
import { findRunVersion } from '../collections/collection-store.ts'
import type { HasDatabase } from '../db/database.ts'
import type { PersonCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { newIdIn } from '../kernel/identifiers.ts'
import { partOf } from '../kernel/partitions.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { listStoppedApps } from '../liveness/stopped-app-store.ts'
import type { EhrSession, SessionApp } from './session.ts'

/** @throws ApiError 404 for an account that the caller does not see, 400 for an unknown EHR type */
export async function prepareSession(
  service: HasApps & HasDatabase & HasRandomness,
  call: Pick<PersonCall, 'person' | 'permission' | 'now'>,
  { accountId, ehrType, deviceId }: { accountId: string; ehrType: string; deviceId: string },
): Promise<EhrSession> {
  const found = await findAccount(service.db, accountId)
  const account = requireAccess(call, 'account', found, { accountId })
  return {
    id: newIdIn(partOf(account.id), 'ses', call.now, service.randomness),
    signInId: call.person.signInId,
    userId: call.person.user.id,
    account: { id: account.id, name: account.name },
    ehrType,
    deviceId,
    ...(await loadContent(service, account, ehrType)),
    createdAt: call.now,
    ended: undefined,
  }
}

/** The content of the collection version for this EHR; empty without a collection. */
async function loadContent(
  service: HasApps & HasDatabase,
  account: Account,
  ehrType: string,
): Promise<Pick<EhrSession, 'collection' | 'ehr' | 'apps'>> {
  const [version, stopped] = await Promise.all([
    findRunVersion(service.db, account),
    listStoppedApps(service.db, account.id, ehrType),
  ])
  if (!version) return { collection: undefined, ehr: undefined, apps: [] }
  const content = decideSessionContent(version.content, ehrType)
  if (!content) {
    const types = version.content.ehrs.map((ehr) => ehr.ehrType).join(', ') || 'none'
    throw new ApiError('invalid_request', "The account's collection has no EHR of this type.", [
      { field: '/ehrType', message: `EHR types of this collection: ${types}.` },
    ])
  }
  const apps = await Promise.all(
    content.apps.map(async (item) => {
      const app = await service.apps.findApp(item.appId)
      return app?.enabled && !stopped.has(app.id) ? [sessionApp(app, item)] : []
    }),
  )
  const collection = { id: version.collectionId, version: version.version }
  return { collection, ehr: content.ehr, apps: apps.flat() }
}

function sessionApp(app: App, { autoLaunch, onChartChange }: CollectionApp): SessionApp {
  return {
    id: app.id,
    name: app.name,
    ...(app.iconUrl === undefined ? {} : { iconUrl: app.iconUrl }),
    kinds: [
      ...(app.launchUrl === undefined ? [] : (['ui'] as const)),
      ...(app.workerLaunchUrl === undefined ? [] : (['worker'] as const)),
    ],
    autoLaunch,
    // A page without the SDK cannot follow a change of the chart: each chart gets its own launch. Contract §14.
    ...(onChartChange === undefined || isSmart(app) ? {} : { onChartChange }),
  }
}

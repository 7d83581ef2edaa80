// The calls about what an account runs: the version with its apps and their week, the stop of one of them in
// this account, and letting it run again.
import type {
  AppStops,
  EhrStops,
  Running,
  StoppedApp,
  StoppedOnEhr,
} from '@chartside/protocol/payloads'
import { loadAccount } from './accounts.ts'
import { type Answered, api, type CallOptions } from './client.ts'

const pathOf = (accountId: string, rest: string) =>
  `/api/accounts/${encodeURIComponent(accountId)}/${rest}`

const stopPath = (accountId: string, appId: string) =>
  pathOf(accountId, `stopped-apps/${encodeURIComponent(appId)}`)

export const loadRunning = (accountId: string, options?: CallOptions) =>
  api.get<Running>(pathOf(accountId, 'running'), options)

/**
 * Loads the entity tag of the account too, for a choice of its version. The tag is read first: a change
 * between both reads fails the choice, and none is overlooked.
 */
export async function readRunning(
  accountId: string,
  options?: CallOptions,
): Promise<Answered<Running>> {
  const { etag } = await loadAccount(accountId, options)
  return { data: await loadRunning(accountId, options), etag }
}

/** Loads the practices in which an app is stopped. */
export const loadAppStops = (appId: string, options?: CallOptions) =>
  api.get<AppStops>(`/api/apps/${encodeURIComponent(appId)}/stops`, options)

const ehrPath = (appId: string, ehrType = '') =>
  `/api/apps/${encodeURIComponent(appId)}/stopped-ehrs${ehrType === '' ? '' : `/${encodeURIComponent(ehrType)}`}`

/** The EHRs on which an app is launched, and those on which it is switched off. */
export const loadEhrStops = (appId: string, options?: CallOptions) =>
  api.get<EhrStops>(ehrPath(appId), options)

/** Stops the app on the EHR in every practice. */
export const stopOnEhr = (appId: string, ehrType: string, reason: string) =>
  api.put<StoppedOnEhr>(ehrPath(appId, ehrType), { reason })

export const letRunOnEhr = (appId: string, ehrType: string) => api.remove(ehrPath(appId, ehrType))

/** The vendor, the platform and the audit trail get the reason. */
export const stopApp = (accountId: string, appId: string, reason: string) =>
  api.put<StoppedApp>(stopPath(accountId, appId), { reason })

export const letAppRun = (accountId: string, appId: string) =>
  api.remove(stopPath(accountId, appId))

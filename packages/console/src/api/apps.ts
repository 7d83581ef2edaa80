// The calls about apps: registration, client secrets, health, the pre-flight of the pages of an app, its runs of
// the fault studio, and the kill switch with the number of launches that it ends.
import type {
  App,
  AppHealth,
  ClientSecret,
  FaultRun,
  FaultRunSummary,
  LastPreflight,
  LogoutNotices,
  LogoutTest,
  NewClientSecret,
  Preflight,
} from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = (id: string, rest = '') => `/api/apps/${encodeURIComponent(id)}${rest}`

/** Lists the apps of one account, or without it every app that the caller sees. */
export const listApps = (
  accountId?: string,
  cursor?: string,
  options?: CallOptions,
  q?: string,
  sort?: 'name',
) => api.get<Page<App>>(withQuery('/api/apps', { accountId, limit: 100, cursor, q, sort }), options)

/** The service answers so many in one request. */
const MAX_IDS = 100

/** Lists the apps of these identifiers that the caller sees, however many apps there are. */
export async function listAppsById(
  ids: Iterable<string>,
  options?: CallOptions,
): Promise<readonly App[]> {
  const left = [...new Set(ids)]
  const apps: App[] = []
  while (left.length > 0) {
    const asked = left.splice(0, MAX_IDS).join(',')
    const { items } = await api.get<Page<App>>(
      withQuery('/api/apps', { ids: asked, limit: MAX_IDS }),
      options,
    )
    apps.push(...items)
  }
  return apps
}

/** The values that a form sends; null takes a value back. */
export type AppChange = Readonly<Record<string, unknown>>

export const createApp = (accountId: string, app: AppChange) =>
  api.post<App>('/api/apps', { accountId, ...app })

export const loadApp = (id: string, options?: CallOptions) => api.read<App>(pathOf(id), options)

export const changeApp = (id: string, change: AppChange, ifMatch?: string) =>
  api.patch<App>(pathOf(id), change, { ifMatch })

export const removeApp = (id: string) => api.remove(pathOf(id))

export const listSecrets = (id: string, options?: CallOptions) =>
  api.get<Page<ClientSecret>>(withQuery(pathOf(id, '/secrets'), { limit: 100 }), options)

/** The secret is in this answer only. */
export const createSecret = (id: string, secret: { label?: string; expiresAt?: string }) =>
  api.post<NewClientSecret>(pathOf(id, '/secrets'), secret)

/** Schedules the retirement for that time (RFC 3339), or cancels it. */
export const scheduleRetirement = (id: string, secretId: string, retiresAt: string | null) =>
  api.patch<ClientSecret>(pathOf(id, `/secrets/${encodeURIComponent(secretId)}`), { retiresAt })

export const retireSecret = (id: string, secretId: string) =>
  api.remove(pathOf(id, `/secrets/${encodeURIComponent(secretId)}`))

/** Loads the health of its launches since `from`, of every practice. */
export const loadHealth = (id: string, from: string, options?: CallOptions) =>
  api.get<AppHealth>(withQuery(pathOf(id, '/health'), { from }), options)

/** The facts that the service publishes for the servers of apps. */
export interface ServiceFacts {
  readonly issuer: string
  readonly hostOrigins: readonly string[]
}

export async function loadServiceFacts(options?: CallOptions): Promise<ServiceFacts> {
  const metadata = '/app-auth/.well-known/openid-configuration'
  const [{ issuer }, { hostOrigins }] = await Promise.all([
    api.get<Pick<ServiceFacts, 'issuer'>>(metadata, options),
    api.get<Pick<ServiceFacts, 'hostOrigins'>>('/sdk/manifest.json', options),
  ])
  return { issuer, hostOrigins }
}

export const runPreflight = (id: string) => api.post<Preflight>(pathOf(id, '/preflight'))

export const loadLastPreflight = (id: string, options?: CallOptions) =>
  api.get<LastPreflight>(pathOf(id, '/preflight'), options)

/** The newest fifty, newest first. In staging only. */
export const listFaultRuns = (id: string, options?: CallOptions) =>
  api.get<Page<FaultRunSummary>>(pathOf(id, '/fault-runs'), options)

export const loadFaultRun = (id: string, runId: string, options?: CallOptions) =>
  api.get<FaultRun>(pathOf(id, `/fault-runs/${encodeURIComponent(runId)}`), options)

/** Loads what became of the notices to its server that a session ended. */
export const loadLogoutNotices = (id: string, options?: CallOptions) =>
  api.get<LogoutNotices>(pathOf(id, '/logout-notices'), options)

export const testLogout = (id: string) => api.post<LogoutTest>(pathOf(id, '/logout-notices/test'))

const LIVE_STATES = ['opened', 'authorized', 'exchanged'] as const
const MAX_COUNTED = 200

/** The launches of the app that run now; `isMore` when there are more than it counts. */
export async function countLiveLaunches(
  appId: string,
  options?: CallOptions,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  const pages = await Promise.all(
    LIVE_STATES.map((state) =>
      api.get<Page<unknown>>(
        withQuery('/api/launches', { appId, state, limit: MAX_COUNTED }),
        options,
      ),
    ),
  )
  const count = pages.reduce((sum, { items }) => sum + items.length, 0)
  return { count, isMore: pages.some(({ nextCursor }) => nextCursor !== null) }
}

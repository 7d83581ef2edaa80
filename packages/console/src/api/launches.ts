// The calls about launches and EHR sessions: lists with filters, one launch with what its app usually
// takes, causes, and their ends. A live tail polls, which is no activity of the person.
import type {
  Launch,
  LaunchCauses,
  LaunchPractices,
  LaunchSummary,
  ListedSession,
  UsualTimes,
} from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

export interface LaunchFilter {
  readonly accountId?: string | undefined
  readonly appId?: string | undefined
  readonly practiceId?: string | undefined
  /** The person whose launches are listed, in practices that the caller administers. */
  readonly userId?: string | undefined
  readonly outcome?: string | undefined
  readonly reason?: string | undefined
  readonly traceId?: string | undefined
  /** A bearer value, alone. */
  readonly launch_id?: string | undefined
  readonly sessionId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type Query = LaunchFilter & { readonly limit?: number; readonly cursor?: string | undefined }

const path = (id: string) => `/api/launches/${encodeURIComponent(id)}`

export const listLaunches = (query: Query, options?: CallOptions) =>
  api.get<Page<Launch>>(withQuery('/api/launches', { ...query }), options)

export const summarizeLaunches = (filter: LaunchFilter, options?: CallOptions) =>
  api.get<LaunchSummary>(withQuery('/api/launches/summary', { ...filter }), options)

export const listCauses = (filter: LaunchFilter, options?: CallOptions) =>
  api.get<LaunchCauses>(withQuery('/api/launches/causes', { ...filter }), options)

/** Lists the practices where the launches of a list ran; `q` is a part of the name. */
export const listLaunchPractices = (
  filter: LaunchFilter & { readonly q?: string },
  options?: CallOptions,
) => api.get<LaunchPractices>(withQuery('/api/launches/practices', { ...filter }), options)

export const loadLaunch = (id: string, options?: CallOptions) => api.get<Launch>(path(id), options)

export const loadUsualTimes = (id: string, options?: CallOptions) =>
  api.get<UsualTimes>(`${path(id)}/usual`, options)

export const endLaunch = (id: string) => api.remove(path(id))

interface SessionQuery {
  readonly accountId?: string | undefined
  readonly state?: string | undefined
  readonly cursor?: string | undefined
}

export const listSessions = (query: SessionQuery, options?: CallOptions) =>
  api.get<Page<ListedSession>>(withQuery('/api/sessions', { ...query }), options)

export const endSession = (id: string) => api.remove(`/api/sessions/${encodeURIComponent(id)}`)

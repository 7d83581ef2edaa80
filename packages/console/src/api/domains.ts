// The calls about the e-mail domains of an account: list, add, look at DNS, remove. Each answer has the record that
// proves the domain.
import type { Domain } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page } from './client.ts'

const pathOf = (accountId: string, id?: string) => {
  const list = `/api/accounts/${encodeURIComponent(accountId)}/domains`
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}`
}

export const listDomains = (accountId: string, options?: CallOptions) =>
  api.get<Page<Domain>>(pathOf(accountId), options)

export const createDomain = (accountId: string, domain: string) =>
  api.post<Domain>(pathOf(accountId), { domain })

export const checkDomain = (accountId: string, id: string) =>
  api.post<Domain>(`${pathOf(accountId, id)}/check`, {})

export const removeDomain = (accountId: string, id: string) => api.remove(pathOf(accountId, id))

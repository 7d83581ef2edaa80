// The calls about the tokens of the directory of an account: list, make, delete. A token is in the answer that makes
// it, and in no other.
import type { DirectoryToken, NewDirectoryToken } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page } from './client.ts'

const pathOf = (accountId: string, id?: string) => {
  const list = `/api/accounts/${encodeURIComponent(accountId)}/scim-tokens`
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}`
}

export const listDirectoryTokens = (accountId: string, options?: CallOptions) =>
  api.get<Page<DirectoryToken>>(pathOf(accountId), options)

export const createDirectoryToken = (accountId: string, label?: string) =>
  api.post<NewDirectoryToken>(pathOf(accountId), label === undefined ? {} : { label })

export const removeDirectoryToken = (accountId: string, id: string) =>
  api.remove(pathOf(accountId, id))

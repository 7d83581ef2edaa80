// The calls about the identity providers of an account: list, register, change, delete, and the check of one.
// A client secret goes in, and no answer has it.
import type { IdentityProvider, IdentityProviderCheck } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page } from './client.ts'

const pathOf = (accountId: string, id?: string) => {
  const list = `/api/accounts/${encodeURIComponent(accountId)}/identity-providers`
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}`
}

export const listIdentityProviders = (accountId: string, options?: CallOptions) =>
  api.get<Page<IdentityProvider>>(pathOf(accountId), options)

export interface NewIdentityProvider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
}

export const createIdentityProvider = (accountId: string, provider: NewIdentityProvider) =>
  api.post<IdentityProvider>(pathOf(accountId), provider)

/** Changes the given fields. A new issuer takes a new secret. */
export const changeIdentityProvider = (
  accountId: string,
  id: string,
  change: Partial<NewIdentityProvider> & { readonly scopes?: string },
) => api.patch<IdentityProvider>(pathOf(accountId, id), change, { ifMatch: undefined })

export const requireIdentityProvider = (accountId: string, id: string, required: boolean) =>
  api.patch<IdentityProvider>(pathOf(accountId, id), { required }, { ifMatch: undefined })

export const removeIdentityProvider = (accountId: string, id: string) =>
  api.remove(pathOf(accountId, id))

export const checkIdentityProvider = (accountId: string, id: string) =>
  api.post<IdentityProviderCheck>(`${pathOf(accountId, id)}/check`, {})

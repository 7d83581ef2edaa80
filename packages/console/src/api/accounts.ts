// The calls about accounts, practices and vendors alike: one, a new one, and changes of one. The list
// stands with the signed-in user, who sees it.
import type { Account, AccountErasure, ProblemReport } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = (id: string) => `/api/accounts/${encodeURIComponent(id)}`

export const loadAccount = (id: string, options?: CallOptions) =>
  api.read<Account>(pathOf(id), options)

export const createAccount = (account: { readonly name: string }) =>
  api.post<Account>('/api/accounts', account)

export const changeAccount = (
  id: string,
  change: {
    readonly name?: string
    readonly shortName?: string | null
    readonly requireSecondFactor?: boolean
    readonly joinByDomain?: Account['joinByDomain']
  },
  ifMatch: string | undefined,
) => api.patch<Account>(pathOf(id), change, { ifMatch })

export const removeAccount = (id: string, ifMatch: string | undefined) =>
  api.remove(pathOf(id), { ifMatch })

/** Erases a deleted account; each call erases some people. Resolves when all of it is erased. */
export async function eraseAccount(id: string): Promise<void> {
  let isComplete = false
  while (!isComplete) ({ isComplete } = await api.post<AccountErasure>(`${pathOf(id)}/erase`))
}

/** Lists what members reported from the panel, newest first. */
export const listProblemReports = (
  id: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  options?: CallOptions,
) => api.get<Page<ProblemReport>>(withQuery(`${pathOf(id)}/problem-reports`, query), options)

// The calls about people and accounts: the signed-in user, the accounts that they see, and their
// sign-out.
import type { Account, SignInEnd, User } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

export const loadMe = (options?: CallOptions) => api.read<User>('/api/users/me', options)

/** Lists accounts; `q` is a part of the name. */
export const listAccounts = (cursor?: string, options?: CallOptions, q?: string, sort?: 'name') =>
  api.get<Page<Account>>(withQuery('/api/accounts', { limit: 100, cursor, q, sort }), options)

export const signOut = (everywhere: boolean) =>
  api.post<undefined>('/auth/sign-out', everywhere ? { everywhere } : {})

/** Reads when the sign-in of this browser ends; asking is not an activity. */
export const loadSignInEnd = () => api.get<SignInEnd>('/api/users/me/sign-in')

/** The person uses the page. */
export const reportActivity = () => api.post<SignInEnd>('/api/users/me/activity')

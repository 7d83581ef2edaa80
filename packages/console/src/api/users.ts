// The calls about the users of the whole platform, for its administrators: the list, a second
// administrator, disabling a person everywhere, and a reset.
import type { PlatformUser } from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'
import type { MailedLink, OneTimeLink } from './credentials.ts'

export interface UserFilters {
  /** The part of the name or of the address. */
  readonly q?: string | undefined
  readonly role?: string | undefined
  readonly disabled?: string | undefined
  readonly sort?: 'name' | undefined
}

/** The link is in this answer only. */
export interface InvitedUser extends PlatformUser {
  readonly invitationUrl: string
  readonly invitationExpiresAt: string
}

const pathOf = (id: string) => `/api/users/${encodeURIComponent(id)}`

export const listUsers = (filters: UserFilters, cursor?: string, options?: CallOptions) =>
  api.get<Page<PlatformUser>>(withQuery('/api/users', { ...filters, limit: 50, cursor }), options)

export const loadUser = (id: string, options?: CallOptions) =>
  api.get<PlatformUser>(pathOf(id), options)

export const inviteUser = (user: {
  readonly email: string
  readonly name: string
  readonly role: PlatformUser['role']
}) => api.post<InvitedUser>('/api/users', user)

export const changeUser = (
  id: string,
  change: { readonly role?: PlatformUser['role']; readonly disabled?: boolean },
) => api.patch<PlatformUser>(pathOf(id), change)

/** Removes every sign-in, login method and membership; name and address stay. */
export const removeUser = (id: string) => api.remove(pathOf(id))

/** Erases a removed person: the id takes the place of name and address. */
export const eraseUser = (id: string) => api.post<PlatformUser>(`${pathOf(id)}/erase`)

export const resetUser = (id: string) => api.post<OneTimeLink | MailedLink>(`${pathOf(id)}/reset`)

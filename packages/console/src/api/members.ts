// The calls about the members of one account: the list, invitations, roles, removal and reset. A link
// for a person is in one answer and never shown again.
import type { Member, MemberChanges } from '@chartside/protocol/payloads'
import { BASE } from '../installation.ts'
import { api, type CallOptions, type Page, withQuery } from './client.ts'
import type { MailedLink, OneTimeLink } from './credentials.ts'

export type MemberRole = Member['role']

/** The link is in this answer only. */
export interface InvitedMember extends Member {
  readonly invitationUrl: string
  readonly invitationExpiresAt: string
}

const pathOf = (accountId: string, userId?: string) =>
  `/api/accounts/${encodeURIComponent(accountId)}/members${userId === undefined ? '' : `/${encodeURIComponent(userId)}`}`

/** Lists members; `q` is a part of the name or the address. */
export const listMembers = (
  accountId: string,
  q: string,
  cursor?: string,
  options?: CallOptions,
  sort?: 'name',
) => api.get<Page<Member>>(withQuery(pathOf(accountId), { limit: 50, cursor, q, sort }), options)

export const loadMember = (accountId: string, userId: string, options?: CallOptions) =>
  api.get<Member>(pathOf(accountId, userId), options)

/** Lists whom to ask: the people who run the account, not those who are only invited to. */
export async function listAdministrators(
  accountId: string,
  options?: CallOptions,
): Promise<readonly Member[]> {
  const query = withQuery(pathOf(accountId), { limit: 20, role: 'admin' })
  const { items } = await api.get<Page<Member>>(query, options)
  return items.filter(({ state }) => state === 'active')
}

export const inviteMember = (
  accountId: string,
  member: {
    readonly email: string
    readonly name: string
    readonly role: MemberRole
    readonly expiresAt: string | null
  },
) => api.post<InvitedMember>(pathOf(accountId), member)

export const changeRole = (accountId: string, userId: string, role: MemberRole) =>
  api.patch<Member>(pathOf(accountId, userId), { role })

export const removeMember = (accountId: string, userId: string) =>
  api.remove(pathOf(accountId, userId))

export const resetMember = (accountId: string, userId: string) =>
  api.post<OneTimeLink | MailedLink>(`${pathOf(accountId, userId)}/reset`)

/** One act on many: a change, or their removal. */
export type MembersChange =
  | { readonly role: MemberRole }
  | { readonly expiresAt: string | null }
  | { readonly remove: true }

export const changeMembers = (
  accountId: string,
  change: MembersChange & { readonly members: readonly string[] },
) => api.post<MemberChanges>(`${pathOf(accountId)}/changes`, change)

export const exportMembersAddress = (accountId: string) => `${BASE}${pathOf(accountId)}/export`

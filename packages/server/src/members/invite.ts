// Invites a person to an account: stores the user if there is none, the invited member and the
// invitation, whose address the caller hands over. The steps are the same whether the address has a
// user or not, also one whom the platform has removed. [V10]

import { lockAccountStatement } from '../accounts/account-store.ts'
import type { HasConfig } from '../config/config.ts'
import { type MintedInvitation, mintInvitation } from '../credentials/invitation.ts'
import { insertInvitationStatements } from '../credentials/invitation-store.ts'
import type { HasDatabase } from '../db/database.ts'
import { text } from '../db/row.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { type AccountRole, normalizeEmail } from '../kernel/user.ts'
import {
  insertOrFindUser,
  lockUserStatement,
  restoreRemovedUserStatement,
} from '../users/user-store.ts'
import {
  countMembers,
  deleteBeyondLimitStatement,
  findMember,
  isActiveMember,
  type Member,
  upsertInvitedStatement,
} from './member-store.ts'

export interface InvitedPerson {
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  readonly expiresAt?: number | undefined
}

export interface Inviting {
  readonly accountId: string
  readonly person: InvitedPerson
  /** The id of a user, or OPERATOR. */
  readonly createdBy: string
}

/** `member` says that the person is one already, `full` that the account has as many members as it may. */
export type InviteResult =
  | { readonly member: Member; readonly minted: MintedInvitation }
  | 'member'
  | 'full'

export async function invitePerson(
  { db, config, randomness }: HasConfig & HasDatabase & HasRandomness,
  { accountId, person, createdBy }: Inviting,
  now: number,
): Promise<InviteResult> {
  const max = config.maxMembersPerAccount
  // The write below decides; this look keeps a full account from storing a user at each try.
  if ((await countMembers(db, accountId)) >= max) return 'full'
  const invitedId = newId('usr', now, randomness)
  const email = normalizeEmail(person.email)
  const user = await insertOrFindUser(db, {
    id: invitedId,
    email,
    name: person.name,
    role: 'member',
    createdAt: now,
    updatedAt: now,
  })
  if (await isActiveMember(db, accountId, user.id)) return 'member'
  const about = { userId: user.id, accountId, createdBy, signInId: undefined } as const
  const minted = mintInvitation(
    config.baseUrl,
    { ...about, purpose: 'membership' },
    now,
    randomness,
  )
  const [, , , [stored] = [], removed = []] = await db.write(
    lockAccountStatement(accountId),
    lockUserStatement(user.id),
    restoreRemovedUserStatement(user.id, { email, name: person.name, role: 'member' }, now),
    upsertInvitedStatement(accountId, user.id, { ...person, invitedId }, now),
    deleteBeyondLimitStatement(accountId, invitedId, max),
    ...insertInvitationStatements(minted),
  )
  if (removed.length > 0) return 'full'
  const member = stored && (await findMember(db, accountId, text(stored, 'invited_id')))
  return member ? { member, minted } : 'member'
}

// Whether a person whom no one has invited may join an account, because a provider of the account vouches for an
// address of a domain that the account has proved. It never binds a person who is known here: an address alone binds
// no one. Contract §13.

import { listLoginMethods } from '../../credentials/login-method-store.ts'
import type { HasDatabase } from '../../db/database.ts'
import { domainOfAddress } from '../../domains/domain.ts'
import { findVerifiedDomain } from '../../domains/domain-store.ts'
import { findSchemaErrors } from '../../http/input/schema-check.ts'
import { type AccountRole, normalizeEmail, type PlatformRole } from '../../kernel/user.ts'
import { INVITED_PERSON } from '../../members/member-schema.ts'
import { findPendingMember } from '../../members/member-store.ts'
import { findUserByEmail } from '../../users/user-store.ts'
import type { Provider, ProviderAccount } from './identity-provider.ts'

/** The person whom the account lets join. */
export interface JoiningPerson {
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  readonly expiresAt?: number | undefined
}

export type JoinVerdict = 'join' | 'not_vouched' | 'not_allowed' | 'known_here'

/** The facts of the installation about the address that the provider gives. */
export interface KnownOfAddress {
  /** The account that has proved the domain of the address, and whether it lets people join. */
  readonly verified: { readonly accountId: string; readonly isJoinable: boolean } | undefined
  readonly user:
    | { readonly isDisabled: boolean; readonly role: PlatformRole; readonly methods: number }
    | undefined
  /** The role of an open invitation of this account. */
  readonly invitedRole: AccountRole | undefined
}

type Claims = Pick<ProviderAccount, 'email' | 'hostedDomain' | 'isEmailRefuted'>

/** A person may open a Google account with an address of any domain; only `hd` says whose organization it is. */
const GOOGLE = 'https://accounts.google.com'

export function decideJoining(
  { email = '', hostedDomain, isEmailRefuted }: Claims,
  { issuer, accountId }: { readonly issuer: string; readonly accountId: string },
  { verified, user, invitedRole }: KnownOfAddress,
): JoinVerdict {
  if (!verified?.isJoinable || verified.accountId !== accountId) return 'not_allowed'
  const isForeign = issuer === GOOGLE && hostedDomain !== domainOfAddress(email)
  if (isEmailRefuted || isForeign) return 'not_vouched'
  if (!user) return 'join'
  // The role of an administrator is given by the link of its invitation only.
  const isOrdinary = !user.isDisabled && user.role === 'member' && invitedRole !== 'admin'
  return isOrdinary && user.methods === 0 ? 'join' : 'known_here'
}

/** The person who may join, or why this one may not. */
export async function findJoining(
  { db }: HasDatabase,
  account: Claims & Pick<ProviderAccount, 'name'>,
  at: NonNullable<Provider['of']>,
): Promise<JoiningPerson | Exclude<JoinVerdict, 'join'>> {
  const domain = account.email === undefined ? undefined : domainOfAddress(account.email)
  const verified = domain === undefined ? undefined : await findVerifiedDomain(db, domain)
  if (account.email === undefined || !verified) return 'not_allowed'
  const email = normalizeEmail(account.email)
  const found = await findUserByEmail(db, email)
  const pending = found && (await findPendingMember(db, at.accountId, found.user.id))
  const user = found && {
    isDisabled: found.isDisabled,
    role: found.user.role,
    methods: (await listLoginMethods(db, found.user.id)).length,
  }
  const verdict = decideJoining(account, at, { verified, user, invitedRole: pending?.role })
  if (verdict !== 'join') return verdict
  const role = pending?.role ?? 'provider'
  // What the provider says is held to what an invitation may say.
  const isInvitable = (name: string) => !findSchemaErrors(INVITED_PERSON, { email, name, role })
  if (!isInvitable(NAME)) return 'not_vouched'
  const given = account.name !== undefined && isInvitable(account.name) ? account.name : email
  return { email, name: pending?.name ?? given, role, expiresAt: pending?.expiresAt }
}

/** The name stands for any right one: it shows whether the address alone is one. */
const NAME = 'A person'

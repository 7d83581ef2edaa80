// Imports one practice: loads what is stored, decides, saves the account, then one person after another.
// Importing it again, also after a stop in the middle, goes on where it was. A lost race with another
// change of the account is tried again with what is stored then.

import type { Account } from '../accounts/account.ts'
import {
  findAccountByExternalId,
  findVersionOwner,
  insertAccountStatement,
  updateAccount,
} from '../accounts/account-store.ts'
import type { HasConfig } from '../config/config.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { nextUpdate } from '../kernel/time.ts'
import { normalizeEmail } from '../kernel/user.ts'
import { type InvitedPerson, invitePerson } from '../members/invite.ts'
import {
  type AccountPlan,
  type PersonPlan,
  type Practice,
  planAccount,
  planPerson,
} from './import-plan.ts'
import { findStanding } from './import-store.ts'

type Parts = HasClock & HasConfig & HasDatabase & HasRandomness

/** An import needs these of the service; the command line has no more than this. */
export type ImportParts = Parts

export interface NewInvitation extends InvitedPerson {
  readonly account: { readonly id: string; readonly name: string }
  readonly url: string
  /** The time in milliseconds. */
  readonly expiresAt: number
}

export interface ImportChoices {
  /** A user's id, or OPERATOR: who answers for it. */
  readonly createdBy: string
  readonly isDryRun: boolean
  /** Whether this person, who waits with an invitation, gets another one. */
  isResent(email: string): boolean
  /** Writes an event into the trail of the account. */
  record(event: ImportEvent): Promise<void>
  /** Hands an invitation over; what it gives is in the result. */
  deliver(invitation: NewInvitation): Promise<Partial<ImportedPerson>>
}

export interface ImportEvent {
  readonly accountId: string
  readonly action: 'importAccount' | 'inviteMember'
  readonly target: string
  readonly detail: Readonly<Record<string, string>>
}

export interface ImportedPerson {
  readonly email: string
  readonly outcome: PersonPlan['outcome']
  readonly invitationUrl?: string
  readonly invitationExpiresAt?: string
  readonly mail?: 'failed' | 'sent'
  readonly problem?: string
}

export interface ImportedPractice {
  readonly externalId: string
  readonly outcome: AccountPlan['outcome']
  readonly account: { readonly id: string; readonly name: string } | null
  readonly people: readonly ImportedPerson[]
  readonly problem?: string
}

const MAX_TRIES = 3

/** @throws DatabaseUnavailable */
export async function importPractice(
  parts: ImportParts,
  practice: Practice,
  choices: ImportChoices,
): Promise<ImportedPractice> {
  const { externalId } = practice
  const saved = await saveAccount(parts, practice, choices)
  if ('problem' in saved) return { externalId, account: null, people: [], ...saved }
  const { account, outcome } = saved
  const people: ImportedPerson[] = []
  for (const person of practice.people ?? []) {
    people.push(await importPerson(parts, account, person, choices))
  }
  const shown = account.id === '' ? null : { id: account.id, name: account.name }
  return { externalId, outcome, account: shown, people }
}

type SavedAccount =
  | { readonly outcome: 'created' | 'changed' | 'unchanged'; readonly account: Account }
  | { readonly outcome: 'refused'; readonly problem: string }

async function saveAccount(
  parts: ImportParts,
  practice: Practice,
  { isDryRun, record }: ImportChoices,
): Promise<SavedAccount> {
  const { db, clock, randomness } = parts
  const { collection, externalId } = practice
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await findAccountByExternalId(db, externalId)
    const isPublished =
      !collection || (await findVersionOwner(db, collection.id, collection.version)) !== undefined
    const plan = planAccount(practice, stored, isPublished)
    if (plan.outcome === 'refused') return plan
    const now = clock()
    const account: Account = stored
      ? { ...stored, ...plan.fields, updatedAt: nextUpdate(stored, now) }
      : {
          id: isDryRun ? '' : newId('acc', now, randomness),
          externalId,
          requireSecondFactor: false,
          joinByDomain: 'off',
          createdAt: now,
          updatedAt: now,
          ...plan.fields,
        }
    const { outcome } = plan
    if (isDryRun || outcome === 'unchanged') return { outcome, account: stored ?? account }
    if (!(await isAccountSaved(parts, account, stored))) continue
    const detail = { outcome, externalId }
    await record({ accountId: account.id, action: 'importAccount', target: account.id, detail })
    return { outcome, account }
  }
  const problem = 'The account is being changed at the same time. Import it again.'
  return { outcome: 'refused', problem }
}

/** Returns false when another request was first. */
async function isAccountSaved(
  { db }: ImportParts,
  account: Account,
  stored: Account | undefined,
): Promise<boolean> {
  if (stored) return updateAccount(db, account, stored.updatedAt)
  try {
    await db.write(insertAccountStatement(account))
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

async function importPerson(
  parts: ImportParts,
  { id: accountId, name: accountName }: Account,
  person: InvitedPerson,
  { createdBy, isDryRun, isResent, record, deliver }: ImportChoices,
): Promise<ImportedPerson> {
  const email = normalizeEmail(person.email)
  const now = parts.clock()
  const standing = await findStanding(parts.db, accountId, email, now)
  const plan = planPerson(person, standing, isResent(email))
  if (plan.outcome !== 'invited' || isDryRun) return { email, ...plan }
  const inviting = { accountId, person, createdBy }
  const invited = await invitePerson(parts, inviting, now)
  if (invited === 'member') return { email, outcome: 'member' }
  if (invited === 'full') {
    const problem = 'The account has as many members as it may (CHARTSIDE_MAX_MEMBERS_PER_ACCOUNT).'
    return { email, outcome: 'refused', problem }
  }
  const { member, minted } = invited
  const detail = { role: person.role }
  await record({ accountId, action: 'inviteMember', target: member.id, detail })
  const invitation: NewInvitation = {
    ...person,
    email,
    account: { id: accountId, name: accountName },
    url: minted.url,
    expiresAt: minted.invitation.expiresAt,
  }
  return { email, outcome: 'invited', ...(await deliver(invitation)) }
}

// Erases a deleted account at the end of a contract: its name, its memberships, what its directory has sent, and
// the people who belong to no other account. Ids stay, because audit trail and launches refer to them. Run again
// after a stop it goes on. docs/operate/compliance.md.
import { eraseAccountStatement, isAccountDeleted } from '../accounts/account-store.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import {
  deleteIdentityProvider,
  listIdentityProviders,
} from '../identity-providers/identity-provider-store.ts'
import { ApiError } from '../kernel/errors.ts'
import { nextUpdate } from '../kernel/time.ts'
import { deleteMembersStatements, listPeopleOfOnly } from '../members/member-store.ts'
import { deleteDirectoryStatements } from '../scim/scim-store.ts'
import { findPlatformUser } from '../users/user-store.ts'
import { changeUserAccess, eraseUserStatements, REMOVED } from './user-access.ts'

interface ErasureOptions {
  readonly now: number
  readonly isDryRun?: boolean
  /** The account itself is erased by the run that finds no more people than this. */
  readonly maxPeople?: number
  /** Runs after each person, so that a stop leaves none without an event. */
  record(userId: string): Promise<void>
}

export interface Erasure {
  /** The ids of the people that it erased, or with `isDryRun` would erase. */
  readonly people: readonly string[]
  /** The value is false when a further run goes on. */
  readonly isComplete: boolean
}

/**
 * Erases the people one by one, then the account.
 * @throws ApiError not_found; conflict for an account that is not deleted, or a user who is changed meanwhile
 */
export async function eraseAccount(
  service: HasDatabase & HasSubscriptions,
  id: string,
  { now, isDryRun = false, maxPeople = Number.POSITIVE_INFINITY, record }: ErasureOptions,
): Promise<Erasure> {
  const { db } = service
  const isDeleted = await isAccountDeleted(db, id)
  if (isDeleted === undefined) throw new ApiError('not_found', `There is no account ${id}.`)
  if (!isDeleted) {
    throw new ApiError(
      'conflict',
      'Only a deleted account is erased. Delete it first: in the console, or DELETE /api/accounts/:id.',
    )
  }
  const all = await listPeopleOfOnly(db, id)
  const people = all.slice(0, maxPeople)
  const isComplete = people.length === all.length
  if (isDryRun) return { people, isComplete }
  for (const userId of people) {
    await eraseOne(service, userId, now)
    await record(userId)
  }
  if (!isComplete) return { people, isComplete }
  for (const provider of await listIdentityProviders(db, id)) {
    const ended = await deleteIdentityProvider(db, id, provider.id, now)
    await notifySessionsEnded(service, ended ?? [], 'revoked')
  }
  await db.write(
    eraseAccountStatement(id),
    ...deleteMembersStatements(id, now),
    ...deleteDirectoryStatements(id),
  )
  return { people, isComplete }
}

async function eraseOne(
  service: HasDatabase & HasSubscriptions,
  id: string,
  now: number,
): Promise<void> {
  const stored = await findPlatformUser(service.db, { id })
  if (!stored) return
  const erasing = eraseUserStatements(id, nextUpdate(stored, now))
  // In one write: who is removed and not erased would be found by no further run.
  if (await changeUserAccess(service, stored, REMOVED, now, erasing)) return
  throw new ApiError('conflict', `${id} is changed at the same time. Run it again.`)
}

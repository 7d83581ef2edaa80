// Erases a deleted account for the command line, at the end of a contract: its name, its memberships, what its
// directory has sent, and the people who belong to no other account. Ids stay, because audit trail and
// launches refer to them. Run again after a stop it goes on. docs/operate/compliance.md.
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
  /** After each person, so that a stop leaves none without an event. */
  record(userId: string): Promise<void>
}

/**
 * The ids of the people that it erases, or with `isDryRun` would erase.
 * @throws ApiError not_found; conflict for an account that is not deleted, or a user who is changed meanwhile
 */
export async function eraseAccount(
  service: HasDatabase & HasSubscriptions,
  id: string,
  { now, isDryRun = false, record }: ErasureOptions,
): Promise<readonly string[]> {
  const { db } = service
  const isDeleted = await isAccountDeleted(db, id)
  if (isDeleted === undefined) throw new ApiError('not_found', `There is no account ${id}.`)
  if (!isDeleted) {
    throw new ApiError(
      'conflict',
      'Only a deleted account is erased. Delete it first: in the console, or DELETE /api/accounts/:id.',
    )
  }
  const people = await listPeopleOfOnly(db, id)
  if (isDryRun) return people
  for (const userId of people) {
    await eraseOne(service, userId, now)
    await record(userId)
  }
  for (const provider of await listIdentityProviders(db, id)) {
    const ended = await deleteIdentityProvider(db, id, provider.id, now)
    await notifySessionsEnded(service, ended ?? [], 'revoked')
  }
  await db.write(
    eraseAccountStatement(id),
    ...deleteMembersStatements(id, now),
    ...deleteDirectoryStatements(id),
  )
  return people
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

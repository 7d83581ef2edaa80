// Loads the account that a call is about, for every room whose routes stand below /api/accounts/:id.
// Contract §4.
import type { HasDatabase } from '../db/database.ts'
import type { RecordCall } from '../http/call.ts'
import { requireAccess } from '../kernel/access.ts'
import type { Account } from './account.ts'
import { findAccount } from './account-store.ts'

/** The account of this call, if the caller has the permission. @throws ApiError 404, 403 */
export async function loadAccount({ db }: HasDatabase, call: RecordCall): Promise<Account> {
  const account = await findAccount(db, call.params.id)
  return requireAccess(call, 'account', account, { accountId: account?.id ?? '' })
}

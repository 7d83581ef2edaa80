// The edge of GET /api/accounts/:id/ehrs: the EHR definitions of the account's collection version. A
// client needs them before there is an EHR session, to recognise the pages of an EHR. Contract §3.

import { loadAccount } from '../accounts/account-access.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import type { ACCOUNT_EHRS } from './collection-schema.ts'
import { findRunVersion } from './collection-store.ts'

export async function showAccountEhrs(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof ACCOUNT_EHRS>> {
  const found = await findRunVersion(service.db, await loadAccount(service, call))
  if (!found) return { status: 200, body: { collection: null, ehrs: [] } }
  const { collectionId, version, content } = found
  const body = { collection: { id: collectionId, version }, ehrs: content.ehrs }
  return { status: 200, body }
}

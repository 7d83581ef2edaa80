// The directory that calls: its token is authenticated for the account of the address, and its last use is
// recorded. Contract §13, security K01.
import { findAccount } from '../accounts/account-store.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { OAuthCall } from '../http/call.ts'
import { hashBearer, isSameHash, parseBearer } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { isUseRecorded } from '../kernel/time.ts'
import {
  type DirectoryToken,
  findDirectoryToken,
  updateTokenLastUsed,
} from './directory-token-store.ts'
import { ScimError } from './scim-error.ts'

export type ScimParts = HasConfig & HasDatabase & HasRandomness & HasRateLimits & HasSubscriptions

/** The token was authenticated, and is of the account of the address. */
export interface ScimCall extends OAuthCall {
  readonly accountId: string
  readonly token: DirectoryToken
}

/** @throws ScimError 401, RequestRefused 429 */
export async function authenticateDirectory(
  { db, limits }: HasDatabase & HasRateLimits,
  call: OAuthCall,
): Promise<ScimCall> {
  const [, presented = ''] = /^bearer +(scim_\S+)$/i.exec(call.authorization ?? '') ?? []
  const id = parseBearer('scim', 'dir', presented)
  const token = id === undefined ? undefined : await findDirectoryToken(db, id)
  const { accountId = '' } = call.params
  const isRight =
    token !== undefined &&
    isSameHash(token.tokenHash, hashBearer(presented)) &&
    token.accountId === accountId &&
    (await findAccount(db, accountId)) !== undefined
  if (!isRight) {
    await limits.count({ address: call.address }, call.now, 'directoryToken')
    throw new ScimError(401, 'The token is missing or is not one of this account.')
  }
  if (isUseRecorded(token.lastUsedAt, call.now)) {
    await updateTokenLastUsed(db, token.id, call.now)
  }
  return { ...call, accountId, token }
}

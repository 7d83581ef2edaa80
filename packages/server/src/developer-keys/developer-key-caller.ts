// The caller with a developer key: the key is authenticated, its last use is recorded, and what its user may do now is
// read anew at each use. Routes that do not declare it take no key. Decision 95, security V45, T16.
import { DatabaseUnavailable, type HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import { ApiError } from '../kernel/errors.ts'
import { hashBearer, isSameHash, parseBearer } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import { isUseRecorded } from '../kernel/time.ts'
import type { Person } from '../kernel/user.ts'
import { decideKeyCaller } from './developer-key.ts'
import { findKeyHolder, updateKeyLastUsed } from './developer-key-store.ts'

/** The value in the Authorization header that has the form of a key, right or wrong. */
export const presentedKey = (authorization: string | undefined): string | undefined =>
  /^Bearer +(dk_\S+)$/i.exec(authorization ?? '')?.[1]

interface KeyRequest {
  readonly presented: string
  /** Whether the route takes developer keys. */
  readonly isTaken: boolean
  readonly address: string
  readonly now: number
  /** The headers of the refusal of a key. */
  readonly challenge: Readonly<Record<string, string>>
}

/** @throws ApiError 401, 403; RequestRefused 429 */
export async function authenticateKey(
  { db, limits, log }: HasDatabase & HasLog & HasRateLimits,
  { presented, isTaken, address, now, challenge }: KeyRequest,
): Promise<Person> {
  if (!isTaken) {
    const detail =
      'A developer key reads launches and hands in fault runs. Sign in for everything else.'
    throw new ApiError('not_signed_in', detail, [], challenge)
  }
  const id = parseBearer('dk', 'dky', presented)
  const holder = id === undefined ? undefined : await findKeyHolder(db, id)
  if (!holder || !isSameHash(holder.key.tokenHash, hashBearer(presented))) {
    await limits.count({ address }, now, 'developerKey')
    throw new ApiError('not_signed_in', 'The developer key is unknown or deleted.', [], challenge)
  }
  const { key } = holder
  const person = decideKeyCaller(holder, now, challenge)
  if (isUseRecorded(key.lastUsedAt, now)) {
    // Reads must work while writes fail.
    await updateKeyLastUsed(db, key.id, now).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
      log.warn({ fault: error.fault }, 'could not record the use of a developer key')
    })
  }
  return person
}

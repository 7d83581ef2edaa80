// Owns when a client secret is good: several live at a time, each with an optional expiry, retired
// at once. Comparison is by hash and in constant time, and an unknown client costs the same work.
// Pure rules. Contract §2, security K01-K03.
import { hashBearer, isSameHash } from '../kernel/identifiers.ts'

export interface ClientSecret {
  readonly id: string
  readonly appId: string
  readonly secretHash: string
  readonly label: string | undefined
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly lastUsedAt: number | undefined
}

/** Stands in for the secrets of a client that does not exist, so that both take the same time. */
const NOBODY: ClientSecret = {
  id: '',
  appId: '',
  secretHash: hashBearer('no client has this secret'),
  label: undefined,
  createdAt: 0,
  expiresAt: 0,
  lastUsedAt: undefined,
}

/** The live secret that was presented, or undefined. `secrets` undefined: there is no such client. */
export function decideClientSecret(
  secrets: readonly ClientSecret[] | undefined,
  presented: string,
  now: number,
): ClientSecret | undefined {
  const presentedHash = hashBearer(presented)
  let accepted: ClientSecret | undefined
  for (const secret of secrets ?? [NOBODY]) {
    const isSame = isSameHash(secret.secretHash, presentedHash)
    const isLive = secret.expiresAt === undefined || secret.expiresAt > now
    if (isSame && isLive) accepted = secret
  }
  return accepted
}

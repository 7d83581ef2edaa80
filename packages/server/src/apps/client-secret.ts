// Owns when a client secret is valid. An app has several at a time, each with an optional expiry; one is
// retired at once or at a time. The comparison is by hash and in constant time, and takes the same
// time for an unknown client. Pure rules. Contract §2, security K01-K03.
import { hashBearer, isSameHash, parseBearer } from '../kernel/identifiers.ts'

export interface ClientSecret {
  readonly id: string
  readonly appId: string
  readonly secretHash: string
  readonly label: string | undefined
  readonly createdAt: number
  readonly expiresAt: number | undefined
  /** It is valid until then, unless the retirement is taken back before. */
  readonly retiresAt: number | undefined
  readonly lastUsedAt: number | undefined
}

/** The kind of a refused secret; `altered`: its row is of this app, but the secret is another text. */
export const REFUSED_SECRET_STATES = [
  'retired',
  'expired',
  'of_another_app',
  'altered',
  'unknown',
  'malformed',
] as const
export type RefusedSecretState = (typeof REFUSED_SECRET_STATES)[number]

/** A row of a secret, retired ones too. */
export interface StoredSecret extends ClientSecret {
  readonly retiredAt: number | undefined
}

/** Says why the service refused this secret; `row` is the one that the secret names. */
export function decideRefusedSecret(
  row: StoredSecret | undefined,
  appId: string,
  presented: string,
  now: number,
): RefusedSecretState {
  if (!parseBearer('cs', 'sec', presented)) return 'malformed'
  if (!row) return 'unknown'
  const isSame = isSameHash(row.secretHash, hashBearer(presented))
  // The row of another app is named only by its own secret.
  if (row.appId !== appId) return isSame ? 'of_another_app' : 'unknown'
  if (!isSame) return 'altered'
  const { expiresAt = Number.POSITIVE_INFINITY } = row
  const retired = Math.min(row.retiredAt ?? Infinity, row.retiresAt ?? Infinity)
  if (retired <= now && retired < expiresAt) return 'retired'
  return expiresAt <= now ? 'expired' : 'unknown'
}

/** Returns milliseconds; infinity for a secret that has no end. */
export const endOfSecret = ({ expiresAt, retiresAt }: ClientSecret): number =>
  Math.min(expiresAt ?? Infinity, retiresAt ?? Infinity)

/** This secret is compared in place of those of an unknown client, so that both take the same time. */
const SECRET_OF_UNKNOWN_CLIENT: ClientSecret = {
  id: '',
  appId: '',
  secretHash: hashBearer('no client has this secret'),
  label: undefined,
  createdAt: 0,
  expiresAt: 0,
  retiresAt: undefined,
  lastUsedAt: undefined,
}

/** The valid secret that was presented, or undefined. `secrets` undefined: an unknown client. */
export function decideClientSecret(
  secrets: readonly ClientSecret[] | undefined,
  presented: string,
  now: number,
): ClientSecret | undefined {
  const presentedHash = hashBearer(presented)
  let accepted: ClientSecret | undefined
  for (const secret of secrets ?? [SECRET_OF_UNKNOWN_CLIENT]) {
    const isSame = isSameHash(secret.secretHash, presentedHash)
    if (isSame && endOfSecret(secret) > now) accepted = secret
  }
  return accepted
}

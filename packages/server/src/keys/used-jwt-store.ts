// The SQL of JWTs that count once: client assertions and revocation requests of identity providers. Race
// contract: one guarded INSERT uses a jti; of all callers, nodes and retries only one gets a row for it until the
// JWT could not be accepted any more. Never decides a message. Security P08.
import { hash } from 'node:crypto'
import { type Database, writeOne } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface JwtUse {
  /** The identifier of the app, or of the identity provider. */
  readonly signedBy: string
  readonly jti: string
  /** The time in milliseconds; afterwards the row may go. */
  readonly expiresAt: number
}

/** Uses the jti of a signer; false when it was used before. The key is a hash: a jti may be any text. */
export async function redeemJwt(
  db: Database,
  { signedBy, jti, expiresAt }: JwtUse,
): Promise<boolean> {
  const jtiHash = hash('sha256', `${signedBy} ${jti}`, 'base64url')
  const row = await writeOne(
    db,
    sql`INSERT INTO client_assertions (jti_hash, expires_at) VALUES (${jtiHash}, ${expiresAt})
      ON CONFLICT (jti_hash) DO NOTHING RETURNING jti_hash`,
  )
  return row !== undefined
}

/** Removes a batch of rows whose time is over; gives how many went. */
export async function deleteExpiredJwts(db: Database, now: number, limit: number): Promise<number> {
  const [rows = []] = await db.write(
    sql`DELETE FROM client_assertions WHERE jti_hash IN (
        SELECT jti_hash FROM client_assertions WHERE expires_at < ${now}
          ORDER BY expires_at LIMIT ${limit})
        RETURNING jti_hash`,
  )
  return rows.length
}

// The SQL of recovery codes: hashes only, each redeemed once by one guarded UPDATE. New codes replace
// all earlier ones of the user.
import { type Database, readOne, writeOne } from '../db/database.ts'
import { integer } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import { hashRecoveryCode } from './recovery-code.ts'

export async function replaceRecoveryCodes(
  db: Database,
  userId: string,
  codes: readonly string[],
  now: number,
): Promise<void> {
  await db.write(
    sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`,
    ...codes.map(
      (code) => sql`INSERT INTO recovery_codes (user_id, code_hash, created_at)
        VALUES (${userId}, ${hashRecoveryCode(code)}, ${now})`,
    ),
  )
}

/** Returns false when the user has no such code, or it was used. */
export async function redeemRecoveryCode(
  db: Database,
  userId: string,
  typed: string,
  now: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE recovery_codes SET used_at = ${now}
      WHERE user_id = ${userId} AND code_hash = ${hashRecoveryCode(typed)} AND used_at IS NULL
      RETURNING user_id`,
  )
  return row !== undefined
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const row = await readOne(
    db,
    sql`SELECT COUNT(*) AS codes FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL`,
  )
  return row ? integer(row, 'codes') : 0
}

export const deleteRecoveryCodesStatement = (userId: string, condition: Statement): Statement =>
  sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND ${condition}`

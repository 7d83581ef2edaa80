// The SQL of second factors: one per user, its secret sealed under the master key. A TOTP step is
// redeemed once: the UPDATE also requires that it is later than the last one.

import { type Database, readOne, writeOne } from '../db/database.ts'
import { integer, optionalInteger, text } from '../db/row.ts'
import { ALWAYS, list, sql } from '../db/sql.ts'
import { deleteRecoveryCodesStatement } from './recovery-code-store.ts'

export interface SecondFactor {
  readonly sealed: string
  readonly createdAt: number
  readonly confirmedAt: number | undefined
}

/** Inserts or replaces an unconfirmed secret. Returns false when the user has a confirmed one. */
export async function upsertUnconfirmedFactor(
  db: Database,
  userId: string,
  sealed: string,
  now: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`INSERT INTO second_factors (user_id, sealed, created_at) VALUES (${userId}, ${sealed}, ${now})
      ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, created_at = excluded.created_at
        WHERE second_factors.confirmed_at IS NULL RETURNING user_id`,
  )
  return row !== undefined
}

export async function findSecondFactor(
  db: Database,
  userId: string,
): Promise<SecondFactor | undefined> {
  const row = await readOne(db, sql`SELECT * FROM second_factors WHERE user_id = ${userId}`)
  return (
    row && {
      sealed: text(row, 'sealed'),
      createdAt: integer(row, 'created_at'),
      confirmedAt: optionalInteger(row, 'confirmed_at'),
    }
  )
}

/** Returns false when the factor was replaced or confirmed meanwhile. */
export async function confirmFactor(
  db: Database,
  userId: string,
  { sealed, step, now }: { readonly sealed: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE second_factors SET confirmed_at = ${now}, last_step = ${step}
      WHERE user_id = ${userId} AND sealed = ${sealed} AND confirmed_at IS NULL RETURNING user_id`,
  )
  return row !== undefined
}

/** Returns false when the code of this step, or of a later one, has been used. */
export async function redeemTotpStep(db: Database, userId: string, step: number): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE second_factors SET last_step = ${step}
      WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND last_step < ${step} RETURNING user_id`,
  )
  return row !== undefined
}

export async function deleteSecondFactor(db: Database, userId: string): Promise<void> {
  await db.write(
    sql`DELETE FROM second_factors WHERE user_id = ${userId}`,
    deleteRecoveryCodesStatement(userId, ALWAYS),
  )
}

/** Whether an account of the user requires a second factor, or the user administers any account. */
export async function isMemberOfRequiring(
  db: Database,
  userId: string,
  { ofAdministrators }: { readonly ofAdministrators: boolean },
): Promise<boolean> {
  const row = await readOne(
    db,
    sql`SELECT 1 AS found FROM members m JOIN accounts a ON a.id = m.account_id
      WHERE m.user_id = ${userId} AND m.invited_at IS NULL AND a.deleted_at IS NULL
        AND (a.second_factor_required_at IS NOT NULL
          OR m.role IN (${list(ofAdministrators ? ['admin', 'viewer'] : [])})) LIMIT 1`,
  )
  return row !== undefined
}

// The SQL of the import: how a person stands to an account, by the e-mail address. Reads only; what is
// written is the SQL of accounts and members.
import { type Database, readOne } from '../db/database.ts'
import { integer, optionalText } from '../db/row.ts'
import { sql } from '../db/sql.ts'
import type { Standing } from './import-plan.ts'

const UNKNOWN: Standing = {
  role: undefined,
  state: 'none',
  hasOpenInvitation: false,
  isDisabled: false,
}

/** Finds the standing; `accountId` is undefined for an account that is not stored yet. `email` is normalized. */
export async function findStanding(
  db: Database,
  accountId: string | undefined,
  email: string,
  now: number,
): Promise<Standing> {
  const row = await readOne(
    db,
    sql`SELECT u.disabled_at, u.removed_at, m.role, m.invited_at,
        (SELECT COUNT(*) FROM invitations i WHERE i.user_id = u.id AND i.purpose = 'membership'
          AND i.account_id = ${accountId ?? ''} AND i.used_at IS NULL AND i.expires_at > ${now})
          AS open_invitations
      FROM users u LEFT JOIN members m ON m.user_id = u.id AND m.account_id = ${accountId ?? ''}
      WHERE u.email = ${email}`,
  )
  if (!row) return UNKNOWN
  const role = optionalText(row, 'role')
  return {
    role,
    state: role === undefined ? 'none' : row.invited_at === null ? 'member' : 'invited',
    hasOpenInvitation: integer(row, 'open_invitations') > 0,
    isDisabled: row.disabled_at !== null && row.removed_at === null,
  }
}

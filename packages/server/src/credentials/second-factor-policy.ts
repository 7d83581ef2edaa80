// Whether a user must have a second factor: because the platform requires it of all or of
// administrators, or because an account of the user does. Security P08.
import type { Database } from '../db/database.ts'
import type { User } from '../kernel/user.ts'
import { isMemberOfRequiring } from './second-factor-store.ts'

export type SecondFactorPolicy = 'optional' | 'administrators' | 'required'

/** The emergency account has none: its use is an alert. docs/use/sign-in.md. */
export async function mustHaveSecondFactor(
  db: Database,
  user: Pick<User, 'id' | 'isEmergency' | 'role'>,
  policy: SecondFactorPolicy,
): Promise<boolean> {
  if (user.isEmergency) return false
  if (policy === 'required') return true
  const ofAdministrators = policy === 'administrators'
  if (ofAdministrators && user.role !== 'member') return true
  return isMemberOfRequiring(db, user.id, { ofAdministrators })
}

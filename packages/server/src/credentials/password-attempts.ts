// Owns who may try a password. An attempt is counted before the password is looked at, and taken back
// when it was right, so that parallel guesses cannot outrun the count. Nobody can lock somebody
// else's account: whoever has signed in from a network before is held only to the count of their own
// account from there. docs/callers.md has the reasoning, security U07.
import type { Database } from '../db/database.ts'
import { keyOf, LIMITS, type LimitKind, windowMsOf } from '../http/admission/rate-limit-rules.ts'
import {
  deleteCountStatement,
  hasMark,
  insertMarkStatement,
  lowerCountStatement,
  raiseCountStatement,
  raiseCountUnlessStatement,
} from '../http/admission/rate-limit-store.ts'
import type { RateLimits } from '../http/admission/rate-limits.ts'

/** How long a network stays familiar to an account that has signed in from there. */
export const TRUSTED_NETWORK_MS = 30 * 24 * 60 * 60 * 1000

export interface PasswordAttempt {
  /** The password was right. @throws DatabaseUnavailable */
  succeed(): Promise<void>
}

/** @param email as it is stored. @throws RequestRefused, DatabaseUnavailable */
export async function beginPasswordAttempt(
  { db, limits }: { readonly db: Database; readonly limits: RateLimits },
  { email, address }: { readonly email: string; readonly address: string },
  now: number,
): Promise<PasswordAttempt> {
  const attempt = { subject: email, address }
  const own = keyOf('password', attempt)
  const familiar = keyOf('familiar', attempt)
  // A flood must not fill the table: what is known to be over is refused before it is counted.
  const refusal = limits.findRefusal(attempt, now, 'password')
  if (refusal) throw refusal
  const wider = limits.findRefusal(attempt, now, 'passwordsOfNetwork', 'passwordsOfAccount')
  if (wider && !(await hasMark(db, familiar, now))) throw wider
  // An attempt that is refused here must not use up what other networks have.
  const unless = { mark: familiar, of: own, most: LIMITS.password.most }
  const raiseWider = (kind: LimitKind) =>
    raiseCountUnlessStatement(unless, keyOf(kind, attempt), now, windowMsOf(kind))
  const [, ...counted] = await limits.raise(
    [
      raiseCountStatement(own, now, windowMsOf('password')),
      raiseWider('passwordsOfNetwork'),
      raiseWider('passwordsOfAccount'),
    ],
    now,
  )
  return {
    async succeed() {
      const until = now + TRUSTED_NETWORK_MS
      await db.write(
        deleteCountStatement(own),
        ...counted.map(lowerCountStatement),
        insertMarkStatement(familiar, until),
      )
    },
  }
}

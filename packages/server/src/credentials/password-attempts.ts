// Limits password attempts. An attempt is counted before the password is verified and subtracted when it
// was right, so that parallel guesses cannot outrun the counter. An attacker cannot lock out a user:
// from a network where the user has signed in before, only the counter of this user from there
// applies. Decision 18, docs/operate/callers.md, security U07.
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

/** A network stays trusted for this time after the user has signed in from there. */
export const TRUSTED_NETWORK_MS = 30 * 24 * 60 * 60 * 1000

export interface PasswordAttempt {
  /** The password was right. @throws DatabaseUnavailable */
  succeed(): Promise<void>
}

export interface AttemptSubject {
  /** The address as it is stored. */
  readonly email: string
  readonly address: string
  /** The value is false for a platform password with so many random bits that it needs no counter of all networks. */
  readonly isGuessable: boolean
}

/** @throws RequestRefused, DatabaseUnavailable */
export async function beginPasswordAttempt(
  { db, limits }: { readonly db: Database; readonly limits: RateLimits },
  { email, address, isGuessable }: AttemptSubject,
  now: number,
): Promise<PasswordAttempt> {
  const attempt = { subject: email, address }
  const own = keyOf('password', attempt)
  const trustedNetwork = keyOf('familiar', attempt)
  // A flood must not fill the table: a counter known to be full refuses before it is raised.
  const refusal = limits.findRefusal(attempt, now, 'password')
  if (refusal) throw refusal
  const ofAccount = isGuessable ? (['passwordsOfAccount'] as const) : []
  const wider = limits.findRefusal(attempt, now, 'passwordsOfNetwork', ...ofAccount)
  if (wider && !(await hasMark(db, trustedNetwork, now))) throw wider
  // An attempt that the own counter refuses must not raise the counters of other networks.
  const unless = { mark: trustedNetwork, of: own, most: LIMITS.password.most }
  const raiseWider = (kind: LimitKind) =>
    raiseCountUnlessStatement(unless, keyOf(kind, attempt), now, windowMsOf(kind))
  const [, ...counted] = await limits.raise(
    [
      raiseCountStatement(own, now, windowMsOf('password')),
      raiseWider('passwordsOfNetwork'),
      ...ofAccount.map(raiseWider),
    ],
    now,
  )
  return {
    async succeed() {
      const until = now + TRUSTED_NETWORK_MS
      await db.write(
        deleteCountStatement(own),
        ...counted.map(lowerCountStatement),
        insertMarkStatement(trustedNetwork, until),
      )
    },
  }
}

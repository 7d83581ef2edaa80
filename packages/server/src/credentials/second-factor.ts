// Checks a code of a user's second factor, or a recovery code in its place. An attempt is counted before the code is compared. Only a
// caller who knows the password, or has just signed in to change the factor, gets here; each of the
// two has its own counter, so neither uses up the attempts of the other. Security U07, P08.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { keyOf } from '../http/admission/rate-limit-rules.ts'
import { deleteCountStatement } from '../http/admission/rate-limit-store.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { masterKeysOf, seal, unseal } from '../keys/master-key.ts'
import { redeemRecoveryCode } from './recovery-code-store.ts'
import { findSecondFactor, redeemTotpStep } from './second-factor-store.ts'
import { findTotpStep } from './totp.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export const sealSecret = (
  { config, randomness }: HasConfig & HasRandomness,
  userId: string,
  secret: Buffer,
) => seal(masterKeysOf(config, randomness), userId, secret, randomness)

export const unsealSecret = (
  { config, randomness }: HasConfig & HasRandomness,
  userId: string,
  sealed: string,
) => unseal(masterKeysOf(config, randomness), userId, sealed)

export type FactorVerdict = 'none' | 'missing' | 'wrong' | 'right'

/** Returns `none` when the user has no second factor. @throws RequestRefused after too many wrong codes */
export async function checkSecondFactor(
  service: Parts,
  userId: string,
  code: string | undefined,
  { address, now }: { readonly address: string; readonly now: number },
  kind: 'secondFactor' | 'secondFactorChange' = 'secondFactor',
): Promise<FactorVerdict> {
  const factor = await findSecondFactor(service.db, userId)
  if (factor?.confirmedAt === undefined) return 'none'
  if (!code) return 'missing'
  const attempt = { address, subject: userId }
  await service.limits.count(attempt, now, kind)
  const { db } = service
  const step = findTotpStep(unsealSecret(service, userId, factor.sealed), code, now)
  const isRight =
    step === undefined
      ? await redeemRecoveryCode(db, userId, code, now)
      : await redeemTotpStep(db, userId, step)
  if (!isRight) return 'wrong'
  await service.db.write(deleteCountStatement(keyOf(kind, attempt)))
  return 'right'
}

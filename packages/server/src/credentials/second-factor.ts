// Checks a code of a person's second factor. An attempt is counted before the code is looked at, and
// only whoever knows the password, or has signed in just now to remove the factor, gets here; each has
// attempts of their own, so nobody uses up those of somebody else.
// Security U07, P08.
import { keyOf } from '../http/admission/rate-limit-rules.ts'
import { deleteCountStatement } from '../http/admission/rate-limit-store.ts'
import { masterKeysOf, seal, unseal } from '../keys/master-key.ts'
import type { Service } from '../service.ts'
import { findSecondFactor, redeemTotpStep } from './second-factor-store.ts'
import { findTotpStep } from './totp.ts'

export const sealSecret = ({ config, randomness }: Service, userId: string, secret: Buffer) =>
  seal(masterKeysOf(config, randomness), userId, secret, randomness)

export const unsealSecret = ({ config, randomness }: Service, userId: string, sealed: string) =>
  unseal(masterKeysOf(config, randomness), userId, sealed)

export type FactorVerdict = 'none' | 'missing' | 'wrong' | 'right'

/** `none`: the person has no second factor. @throws RequestRefused after too many wrong codes */
export async function checkSecondFactor(
  service: Service,
  userId: string,
  code: string | undefined,
  { address, now }: { readonly address: string; readonly now: number },
  kind: 'secondFactor' | 'secondFactorRemoval' = 'secondFactor',
): Promise<FactorVerdict> {
  const factor = await findSecondFactor(service.db, userId)
  if (factor?.confirmedAt === undefined) return 'none'
  if (!code) return 'missing'
  const attempt = { address, subject: userId }
  await service.limits.count(attempt, now, kind)
  const step = findTotpStep(unsealSecret(service, userId, factor.sealed), code, now)
  if (step === undefined || !(await redeemTotpStep(service.db, userId, step))) return 'wrong'
  await service.db.write(deleteCountStatement(keyOf(kind, attempt)))
  return 'right'
}

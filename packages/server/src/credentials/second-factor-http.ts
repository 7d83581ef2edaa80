// The edge of /api/users/me/second-factor: the caller sets up an authenticator app, confirms it with a
// code and removes it with a code. A user who has lost the app needs a reset by an administrator.
// Contract §3, security P08.

import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { keyOf } from '../http/admission/rate-limit-rules.ts'
import { deleteCountStatement } from '../http/admission/rate-limit-store.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type {
  CODE_BODY,
  NEW_SECOND_FACTOR,
  RECOVERY_CODES,
  SECOND_FACTOR,
} from './credential-schema.ts'
import { refuseEmergencyAccount } from './ordinary-user.ts'
import { mintRecoveryCodes } from './recovery-code.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-code-store.ts'
import { checkSecondFactor, sealSecret, unsealSecret } from './second-factor.ts'
import { mustHaveSecondFactor } from './second-factor-policy.ts'
import {
  confirmFactor,
  deleteSecondFactor,
  findSecondFactor,
  upsertUnconfirmedFactor,
} from './second-factor-store.ts'
import { buildTotpUri, findTotpStep, TOTP_SECRET_BYTES, toBase32 } from './totp.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export async function showSecondFactor(
  { config, db }: HasConfig & HasDatabase,
  { person: { user } }: PersonCall,
): Promise<Answer<200, typeof SECOND_FACTOR>> {
  const factor = await findSecondFactor(db, user.id)
  const state = factor ? (factor.confirmedAt === undefined ? 'unconfirmed' : 'on') : 'off'
  const isRequired = await mustHaveSecondFactor(db, user, config.secondFactor)
  const recoveryCodesLeft = await countRecoveryCodes(db, user.id)
  return { status: 200, body: { state, isRequired, recoveryCodesLeft } }
}

export async function setUpSecondFactor(
  service: HasConfig & HasDatabase & HasRandomness,
  call: PersonCall,
): Promise<Answer<201, typeof NEW_SECOND_FACTOR>> {
  const { user } = call.person
  refuseEmergencyAccount(user, call.log)
  const secret = service.randomness.bytes(TOTP_SECRET_BYTES)
  const sealed = sealSecret(service, user.id, secret)
  if (!(await upsertUnconfirmedFactor(service.db, user.id, sealed, call.now))) {
    throw new ApiError('conflict', 'You have a second factor. Remove it first, with a code of it.')
  }
  const uri = buildTotpUri(secret, user.email, 'Chartside')
  // Loaded at first use, so that the start of a node does not pay for it.
  const { default: qrcode } = await import('qrcode')
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: {
      secret: toBase32(secret),
      uri,
      qrCode: await qrcode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M' }),
    },
  }
}

/** A secret waits for its first code for this time. Security V32. */
const CONFIRM_WITHIN_MS = 10 * 60_000

/** Confirms the factor. Wrong codes are counted: an attacker with an old set-up would guess, and lock the owner out. */
export async function confirmSecondFactor(
  service: Parts,
  call: PersonCall<never, typeof CODE_BODY>,
): Promise<Answer<200, typeof RECOVERY_CODES>> {
  const { id } = call.person.user
  const factor = await findSecondFactor(service.db, id)
  if (factor?.confirmedAt !== undefined || !factor) {
    throw new ApiError('conflict', 'You have no second factor that waits for a code.')
  }
  const { now } = call
  const { sealed, createdAt } = factor
  if (now - createdAt >= CONFIRM_WITHIN_MS) {
    throw new ApiError('conflict', 'This secret is older than ten minutes. Set it up again.')
  }
  const attempt = { address: call.address, subject: id }
  await service.limits.count(attempt, now, 'secondFactorChange')
  const step = findTotpStep(unsealSecret(service, id, sealed), call.body.code, now)
  if (step === undefined || !(await confirmFactor(service.db, id, { sealed, step, now }))) {
    throw wrongCode()
  }
  await service.db.write(deleteCountStatement(keyOf('secondFactorChange', attempt)))
  call.log.info({ user: id }, 'second factor on')
  return issueRecoveryCodes(service, id, now)
}

/** Issues new codes for a user who has used or lost some; the earlier ones are void. */
export async function replaceMyRecoveryCodes(
  service: Parts,
  call: PersonCall<never, typeof CODE_BODY>,
): Promise<Answer<200, typeof RECOVERY_CODES>> {
  const { id } = call.person.user
  const verdict = await checkSecondFactor(service, id, call.body.code, call, 'secondFactorChange')
  if (verdict === 'none') throw new ApiError('not_found', 'You have no second factor.')
  if (verdict !== 'right') throw wrongCode()
  return issueRecoveryCodes(service, id, call.now)
}

async function issueRecoveryCodes(
  { db, randomness }: HasDatabase & HasRandomness,
  userId: string,
  now: number,
): Promise<Answer<200, typeof RECOVERY_CODES>> {
  const recoveryCodes = mintRecoveryCodes(randomness)
  await replaceRecoveryCodes(db, userId, recoveryCodes, now)
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: { recoveryCodes } }
}

export async function removeSecondFactor(
  service: Parts,
  call: PersonCall<never, typeof CODE_BODY>,
): Promise<Answer<204>> {
  const { user } = call.person
  const { id } = user
  const { code } = call.body
  if (await mustHaveSecondFactor(service.db, user, service.config.secondFactor)) {
    throw new ApiError(
      'conflict',
      'Your practice, or this platform, requires a second factor. For a new device, ask for a reset.',
    )
  }
  const verdict = await checkSecondFactor(service, id, code, call, 'secondFactorChange')
  if (verdict === 'none') throw new ApiError('not_found', 'You have no second factor.')
  if (verdict !== 'right') throw wrongCode()
  await deleteSecondFactor(service.db, id)
  call.log.info({ user: id }, 'second factor off')
  return { status: 204 }
}

const wrongCode = () =>
  new ApiError(
    'invalid_request',
    'The code is wrong, or was used before. Check the clock of the device, and use the next code.',
    [{ field: '/code', message: 'Is not the current code.' }],
  )

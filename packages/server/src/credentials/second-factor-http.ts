// The edge of /api/users/me/second-factor: the caller sets up an authenticator app, confirms it with a
// code and removes it with a code. A user who has lost the app needs a reset by an administrator.
// Contract §3, security P08.

import type { Answer, PersonCall } from '../http/route.ts'
import { ApiError } from '../kernel/errors.ts'
import { requireRecentAuth } from '../kernel/user.ts'
import type { Service } from '../service.ts'
import type { CODE_BODY, NEW_SECOND_FACTOR, SECOND_FACTOR } from './credential-schema.ts'
import { checkSecondFactor, sealSecret, unsealSecret } from './second-factor.ts'
import {
  confirmFactor,
  deleteSecondFactor,
  findSecondFactor,
  upsertUnconfirmedFactor,
} from './second-factor-store.ts'
import { buildTotpUri, findTotpStep, TOTP_SECRET_BYTES, toBase32 } from './totp.ts'

export async function showSecondFactor(
  { db }: Pick<Service, 'db'>,
  { person }: PersonCall,
): Promise<Answer<200, typeof SECOND_FACTOR>> {
  const factor = await findSecondFactor(db, person.user.id)
  const state = factor ? (factor.confirmedAt === undefined ? 'unconfirmed' : 'on') : 'off'
  return { status: 200, body: { state } }
}

export async function setUpSecondFactor(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  call: PersonCall,
): Promise<Answer<201, typeof NEW_SECOND_FACTOR>> {
  requireRecentAuth(call)
  const { user } = call.person
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

export async function confirmSecondFactor(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  call: PersonCall<never, typeof CODE_BODY>,
): Promise<Answer<204>> {
  const { id } = call.person.user
  const factor = await findSecondFactor(service.db, id)
  if (factor?.confirmedAt !== undefined || !factor) {
    throw new ApiError('conflict', 'You have no second factor that waits for a code.')
  }
  const { sealed } = factor
  const { now } = call
  const step = findTotpStep(unsealSecret(service, id, sealed), call.body.code, now)
  if (step === undefined || !(await confirmFactor(service.db, id, { sealed, step, now }))) {
    throw wrongCode()
  }
  call.log.info({ user: id }, 'second factor on')
  return { status: 204 }
}

export async function removeSecondFactor(
  service: Pick<Service, 'config' | 'db' | 'limits' | 'randomness'>,
  call: PersonCall<never, typeof CODE_BODY>,
): Promise<Answer<204>> {
  requireRecentAuth(call)
  const { id } = call.person.user
  const { code } = call.body
  const verdict = await checkSecondFactor(service, id, code, call, 'secondFactorRemoval')
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

// The handlers of signing keys, for an administrator of the platform: list, rotate, withdraw. The same plans as the
// command line. A change that another one overtook is a conflict, and nothing is half done. Security J05 to J07.
import type { HasConfig } from '../config/config.ts'
import { type HasDatabase, UniqueViolation } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import {
  applyPlan,
  type KeyContext,
  type KeyPlan,
  KeysChanged,
  planRotation,
  planWithdrawal,
} from '../keys/key-rotation.ts'
import {
  decideKeyState,
  decidePublishedUntil,
  isUntilRotated,
  keyTimesOf,
} from '../keys/key-schedule.ts'
import { listSigningKeys } from '../keys/key-store.ts'
import { masterKeysOf } from '../keys/master-key.ts'
import type {
  NEXT_SIGNER,
  REVOCATION_BODY,
  ROTATION_BODY,
  SIGNING_KEYS,
} from './signing-key-schema.ts'

type Parts = HasConfig & HasDatabase & HasRandomness

export async function listKeys(
  { db, config }: Parts,
  { now }: PersonCall,
): Promise<Answer<200, typeof SIGNING_KEYS>> {
  const times = keyTimesOf(config)
  const keys = await listSigningKeys(db)
  const items = keys.map((key) => {
    const { kid, alg, createdAt, signsFrom } = key
    const until = key.retiredAt ?? decidePublishedUntil(keys, key, times)
    return {
      ...{ kid, alg, state: decideKeyState(keys, key, now, times), createdAt: rfc3339(createdAt) },
      signsFrom: isUntilRotated(signsFrom) ? null : rfc3339(signsFrom),
      publishedUntil: until === undefined || isUntilRotated(until) ? null : rfc3339(until),
    }
  })
  return { status: 200, body: { items } }
}

export async function rotateKeys(
  service: Parts,
  call: PersonCall<never, typeof ROTATION_BODY>,
): Promise<Answer<200, typeof NEXT_SIGNER>> {
  const { alg, afterSeconds } = call.body
  const context = buildContext(service, call)
  const { prepublishMs } = context.times
  const afterMs = afterSeconds === undefined ? prepublishMs : afterSeconds * 1000
  return apply(context, call, await planRotation(context, alg, afterMs))
}

export async function revokeKey(
  service: Parts,
  call: PersonCall<never, typeof REVOCATION_BODY>,
): Promise<Answer<200, typeof NEXT_SIGNER>> {
  const context = buildContext(service, call)
  const plan = await planWithdrawal(context, call.body.kid)
  if (!plan) throw new ApiError('conflict', 'No key of this kid is in use.')
  return apply(context, call, plan)
}

const buildContext = ({ db, config, randomness }: Parts, { now }: { readonly now: number }) => ({
  ...{ db, randomness, now, times: keyTimesOf(config) },
  masters: masterKeysOf(config, randomness),
})

async function apply(
  context: KeyContext,
  { auditNotes }: Pick<PersonCall, 'auditNotes'>,
  plan: KeyPlan,
): Promise<Answer<200, typeof NEXT_SIGNER>> {
  const { withdraw, next } = plan
  try {
    const kid = await applyPlan(context, plan)
    const signsFrom = rfc3339(next.signsFrom)
    auditNotes.detail = {
      ...(withdraw === undefined ? {} : { kid: withdraw }),
      next: kid,
      signsFrom,
    }
    return { status: 200, body: { kid, signsFrom } }
  } catch (error) {
    if (!(error instanceof KeysChanged || error instanceof UniqueViolation)) throw error
    throw new ApiError('conflict', 'The keys were changed meanwhile. Look at them and try again.')
  }
}

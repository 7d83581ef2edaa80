// The edge at which a client collects the session token that its person has signed in for. The token
// is made at this moment and leaves once; the verifier proves that it is the client which opened
// the page. Contract §3, security U06.

import type { Answer, Call } from '../../http/route.ts'
import { ApiError, notFound } from '../../kernel/errors.ts'
import { hashBearer, mintBearer, newId } from '../../kernel/identifiers.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { Service } from '../../service.ts'
import { findUser } from '../../users/user-store.ts'
import { signedInBody } from '../sign-in.ts'
import type { PENDING, SIGNED_IN } from '../sign-in-schema.ts'
import { decideFlowState, POLL_EVERY_SECONDS, parseVerifier } from './sign-in-flow.ts'
import { deliverFlow, findFlow } from './sign-in-flow-store.ts'

export async function pollToken(
  service: Service,
  call: Call<'sessionId'>,
): Promise<Answer<200, typeof SIGNED_IN> | Answer<202, typeof PENDING>> {
  const { config, db, randomness } = service
  const { now } = call
  const verifier = parseVerifier(call.authorization)
  const sessionHash = hashBearer(call.params.sessionId ?? '')
  const flow = verifier === undefined ? undefined : await findFlow(db, sessionHash)
  switch (decideFlowState(flow, verifier ?? '', now)) {
    case 'unknown':
      await service.limits.count(
        { address: call.address, subject: sessionHash },
        now,
        'poll',
        'pollsOfNetwork',
      )
      throw notFound('sign-in that waits')
    case 'delivered':
      throw usedAlready()
    case 'pending':
      return {
        status: 202,
        headers: { ...NEVER_KEPT, 'retry-after': String(POLL_EVERY_SECONDS) },
        body: { status: 'pending' },
      }
  }
  const id = newId('sgn', now, randomness)
  const token = mintBearer('st', id, randomness)
  const expiresAt = now + config.sessionLifetimeSeconds * 1000
  const signIn = { id, createdAt: now, lastSeenAt: now, expiresAt }
  const challenge = hashBearer(verifier ?? '')
  const userId = await deliverFlow(db, sessionHash, challenge, signIn, hashBearer(token))
  const user = userId === undefined ? undefined : await findUser(db, userId)
  if (!user) throw usedAlready()
  call.log.info({ user: user.id }, 'signed in')
  return {
    status: 200,
    headers: NEVER_KEPT,
    body: signedInBody(token, rfc3339(expiresAt), user),
  }
}

const NEVER_KEPT = { 'cache-control': 'no-store' } as const

const usedAlready = () =>
  new ApiError('used_already', 'The token of this sign-in has been collected. Begin a new one.')

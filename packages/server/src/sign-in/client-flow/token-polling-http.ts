// The edge of GET /auth/token/:sessionId: a client polls for the session token that its user approved
// (as RFC 8628 3.4). The token is minted when it is delivered and leaves once; the verifier proves
// that the client opened the page itself. Contract §3, security U06.

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import { networkOf } from '../../http/admission/client-address.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { Answer, Call } from '../../http/call.ts'
import { ApiError, notFound } from '../../kernel/errors.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUser } from '../../users/user-store.ts'
import { alertEmergencyAccess } from '../emergency-access.ts'
import { clientOf, mintSignIn, signedInBody } from '../sign-in.ts'
import type { PENDING, SIGNED_IN } from '../sign-in-schema.ts'
import { decideFlowState, POLL_INTERVAL_SECONDS, parsePollBearer } from './sign-in-flow.ts'
import { deliverFlow, findFlow, updateAskedFrom } from './sign-in-flow-store.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export async function pollToken(
  { config, db, limits, randomness }: Parts,
  call: Call<'sessionId'>,
): Promise<Answer<200, typeof SIGNED_IN> | Answer<202, typeof PENDING>> {
  const { now } = call
  const bearer = parsePollBearer(call.authorization)
  const sessionHash = hashBearer(call.params.sessionId)
  const flow = bearer && (await findFlow(db, sessionHash))
  const network = networkOf(call.address)
  const poll = { ...(bearer ?? { verifier: '', proof: '' }), network }
  switch (decideFlowState(flow, poll, now)) {
    case 'unknown': {
      const attempt = { address: call.address, subject: sessionHash }
      // No page of another site can send a verifier, so what it makes a browser ask for counts for no one. [V26]
      if (bearer) await limits.count(attempt, now, 'poll', 'pollsOfNetwork')
      throw notFound('sign-in that waits')
    }
    case 'delivered':
      throw alreadyDelivered()
    case 'pending':
      if (flow?.hostOrigin === undefined && flow?.askedFrom !== network) {
        await updateAskedFrom(db, sessionHash, network)
      }
      return {
        status: 202,
        headers: { ...NO_STORE, 'retry-after': String(POLL_INTERVAL_SECONDS) },
        body: { status: 'pending' },
      }
  }
  const minted = mintSignIn(config.sessionLifetimeSeconds, now, randomness)
  const fresh = { ...minted, client: clientOf(call) }
  const delivered = await deliverFlow(db, sessionHash, hashBearer(poll.verifier), fresh)
  const user = delivered && (await findUser(db, delivered.userId))
  if (!delivered || !user) throw alreadyDelivered()
  if (delivered.boundTo) call.auditNotes.accountId = delivered.boundTo
  if (user.isEmergency) await alertEmergencyAccess({ db, randomness }, user, call)
  call.log.info({ user: user.id }, 'signed in')
  return {
    status: 200,
    headers: NO_STORE,
    body: signedInBody({ ...minted, expiresAt: delivered.expiresAt }, user),
  }
}

const NO_STORE = { 'cache-control': 'no-store' } as const

const alreadyDelivered = () =>
  new ApiError('used_already', 'The token of this sign-in has been collected. Begin a new one.')

// The handlers of logout notices: what became of the last ones, and a test that a developer sends, of a
// session that never was. Contract §12.
import { loadApp } from '../apps/app-access.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import type { HasNoticeSender } from '../preflight/notice-sender.ts'
import { decideLogoutOutcome } from './logout.ts'
import { postLogoutToken } from './logout-delivery.ts'
import type { LOGOUT_NOTICES, LOGOUT_TEST } from './logout-schema.ts'
import { listOutcomes } from './logout-store.ts'

export async function listLogoutNotices(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LOGOUT_NOTICES>> {
  const app = await loadApp(service, call)
  const found = await listOutcomes(service.db, app.id)
  const items = found.map(({ outcome, count, at, status, answer }) => ({
    ...{ outcome, count, at: rfc3339(at), answer },
    ...(status === undefined ? {} : { status }),
  }))
  return { status: 200, body: { items } }
}

type Parts = HasClock &
  HasConfig &
  HasDatabase &
  HasKeys &
  HasNoticeSender &
  HasRandomness &
  HasRateLimits

/** Posts a token of a session and a user that never were: a good receiver answers 200 or 204. */
export async function testLogout(
  service: Parts,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LOGOUT_TEST>> {
  const app = await loadApp(service, call)
  const url = app.backchannelLogoutUri
  if (url === undefined) {
    throw new ApiError('invalid_request', 'The app has no address for logout tokens.', [
      { field: '/backchannelLogoutUri', message: 'Register the address first.' },
    ])
  }
  const attempt = { address: call.address, subject: call.person.user.id }
  await service.limits.count(attempt, call.now, 'preflights')
  const { randomness } = service
  const notice = {
    sessionId: newId('ses', call.now, randomness),
    userId: newId('usr', call.now, randomness),
    appId: app.id,
  }
  const { clientId, idTokenSignedResponseAlg: alg } = app
  const { status, answer } = await postLogoutToken(service, { clientId, alg, url }, notice)
  const outcome = decideLogoutOutcome({ status, answer }, 0)
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      outcome: outcome === 'given_up' ? 'will_retry' : outcome,
      milliseconds: Math.max(0, service.clock() - call.now),
      answer,
      ...(status === undefined ? {} : { status }),
    },
  }
}

// The edge of the caller's own sign-ins: where they are signed in, the end of one of them, and when the
// one in use ends. Asking is no activity; reporting activity is. Contract §3, security P04.

import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { buildPage, newestOf, parsePage } from '../http/input/pagination.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import {
  livenessCutoff,
  planSignInEnd,
  recordActivityBefore,
  type SignInTimes,
} from '../liveness/liveness.ts'
import { updateLastSeen } from '../liveness/liveness-store.ts'
import type { OPEN_SIGN_INS, SIGN_IN_END } from './sign-in-schema.ts'
import { endSignInOf, listLiveSignIns, type OpenSignIn } from './sign-in-store.ts'

type SignInService = HasConfig & HasDatabase

const timesOf = ({ expiresAt, lastSeenAt }: OpenSignIn): SignInTimes => ({
  endedAt: undefined,
  endedReason: undefined,
  expiresAt,
  lastSeenAt,
})

export async function listMySignIns(
  { config, db }: SignInService,
  { person, now, query }: PersonCall,
): Promise<Answer<200, typeof OPEN_SIGN_INS>> {
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  const page = parsePage(query, { of: ['sgn'], start: newestOf('sgn') })
  const asked = { before: page.cursor, limit: page.limit + 1 }
  const signIns = await listLiveSignIns(db, person.user.id, cutoff, asked)
  const body = buildPage(signIns, page, (signIn) => ({
    id: signIn.id,
    isCurrent: signIn.id === person.signInId,
    createdAt: rfc3339(signIn.createdAt),
    lastSeenAt: rfc3339(signIn.lastSeenAt),
    endsAt: rfc3339(planSignInEnd(timesOf(signIn), cutoff).at),
    userAgent: signIn.userAgent ?? null,
    address: signIn.address ?? null,
  }))
  return { status: 200, headers: NO_STORE, body }
}

const NO_STORE = { 'cache-control': 'no-store' } as const

export async function endMySignIn(
  { config, db, subscriptions }: SignInService & HasSubscriptions,
  { person, params, now, log }: PersonCall<'id'>,
): Promise<Answer<204>> {
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  const sessions = await endSignInOf(db, person.user.id, params.id, cutoff)
  if (!sessions) throw notFound('sign-in')
  await notifySessionsEnded({ subscriptions }, sessions, 'signed_out')
  log.info({ user: person.user.id, sessions: sessions.length }, 'a sign-in ended by its user')
  return { status: 204 }
}

export async function showSignInEnd(
  { config, db }: SignInService,
  { person, now }: PersonCall,
): Promise<Answer<200, typeof SIGN_IN_END>> {
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  const asked = { id: person.signInId, limit: 1 }
  const [current] = await listLiveSignIns(db, person.user.id, cutoff, asked)
  // It ended between the check of the caller and now.
  if (!current) throw new ApiError('not_signed_in', 'The sign-in has ended.')
  const { at, warnAt, reason } = planSignInEnd(timesOf(current), cutoff)
  return {
    status: 200,
    headers: NO_STORE,
    body: { now: rfc3339(now), endsAt: rfc3339(at), warnAt: rfc3339(warnAt), reason },
  }
}

/** A person has used keys or pointer on a page, or has pressed Stay. */
export async function reportMyActivity(
  service: SignInService,
  call: PersonCall,
): Promise<Answer<200, typeof SIGN_IN_END>> {
  const { sessionIdleSeconds } = service.config
  const cutoff = livenessCutoff(call.now, sessionIdleSeconds)
  const before = recordActivityBefore(call.now, sessionIdleSeconds)
  await updateLastSeen(service.db, call.person.signInId, cutoff, before)
  return showSignInEnd(service, call)
}

// Pays logout debts out of the outbox: judges whether the sign-in is really over, signs a token, posts it and
// records what came back. Contract §12.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { signJws } from '../keys/jws.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { decideSignInEnd, livenessCutoff, planSignInEnd } from '../liveness/liveness.ts'
import type { NoticeAnswer } from '../outbox/outbox.ts'
import { type OutboxDelivery, outboxDelivery, planRetry } from '../outbox/outbox-delivery.ts'
import type { HasNoticeSender } from '../preflight/notice-sender.ts'
import {
  buildLogoutClaims,
  decideLogoutOutcome,
  type LogoutNotice,
  transactionOf,
} from './logout.ts'
import {
  findReceiver,
  findSignInTimes,
  type LogoutDebt,
  putBackDebt,
  type Receiver,
  recordFinal,
  recordRetry,
  takeDueDebts,
} from './logout-store.ts'

type Parts = HasClock & HasConfig & HasDatabase & HasKeys & HasLog & HasNoticeSender & HasRandomness

export const logoutDelivery = (service: Parts): OutboxDelivery =>
  outboxDelivery<LogoutDebt, Receiver & { readonly url: string }>(service, {
    what: 'logout notice',
    takeDue: (taking) => takeDueDebts(service.db, taking),
    receiverIdOf: ({ appId }) => appId,
    putBack: (debt, dueAt) => putBackDebt(service.db, debt, dueAt),
    async prepare(debt) {
      const now = service.clock()
      if (!(await isOver(service, debt, now))) return undefined
      const receiver = await findReceiver(service.db, debt.appId)
      const { url } = receiver ?? {}
      if (receiver && url !== undefined) return { ...receiver, url }
      const answer = { status: undefined, answer: '' }
      await recordEnd(service, debt, { ...answer, at: now, outcome: 'no_address' }, undefined)
      return undefined
    },
    deliver: (debt, receiver, signal) => deliver(service, debt, receiver, signal),
  })

/** A debt whose sign-in goes on, because there was activity, is due at its new end. */
async function isOver({ db, config }: Parts, debt: LogoutDebt, now: number): Promise<boolean> {
  if (debt.isEnded) return true
  const signIn = await findSignInTimes(db, debt.signInId)
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  if (!signIn || decideSignInEnd(signIn, cutoff)) return true
  await putBackDebt(db, debt, planSignInEnd(signIn, cutoff).at)
  return false
}

/** Posts a logout token; the test of a developer posts one with a notice of no session. */
export async function postLogoutToken(
  service: HasClock & HasConfig & HasKeys & HasNoticeSender & HasRandomness,
  { clientId, alg, url }: Pick<Receiver, 'clientId' | 'alg'> & { readonly url: string },
  notice: LogoutNotice,
  signal?: AbortSignal,
): Promise<NoticeAnswer> {
  const now = service.clock()
  const claims = buildLogoutClaims({
    issuer: service.config.issuerUrl,
    clientId,
    notice,
    jti: service.randomness.bytes(16).toString('base64url'),
    now,
  })
  const token = await signJws(service.keys.signer(alg, now), claims, 'logout+jwt')
  const form = new URLSearchParams({ logout_token: token })
  return service.noticeSender.send(url, { userAgent: 'Chartside-Logout/1.0', form }, signal)
}

async function deliver(
  service: Parts,
  debt: LogoutDebt,
  receiver: Receiver & { readonly url: string },
  signal: AbortSignal,
): Promise<void> {
  const answer = await postLogoutToken(service, receiver, debt, signal)
  if (signal.aborted) return
  const at = service.clock()
  const outcome = decideLogoutOutcome(answer, debt.attempts)
  const made = { ...answer, at, outcome }
  if (outcome !== 'will_retry') return recordEnd(service, debt, made, receiver.url)
  await recordRetry(service.db, debt, made, planRetry(service, debt.attempts, at))
}

function recordEnd(
  { db, randomness }: Parts,
  debt: LogoutDebt,
  attempt: Parameters<typeof recordFinal>[2],
  url: string | undefined,
): Promise<void> {
  const { outcome, at, status } = attempt
  const event = {
    id: newId('evt', at, randomness),
    at,
    accountId: debt.accountId,
    actor: 'service',
    action: 'notifyLogout',
    target: debt.appId,
    launchId: undefined,
    ip: 'local',
    outcome: outcome === 'delivered' ? 'ok' : 'refused',
    detail: {
      outcome,
      session: debt.sessionId,
      txn: transactionOf(debt),
      attempts: String(debt.attempts + 1),
      ...(status === undefined ? {} : { status: String(status) }),
    },
  } as const
  return recordFinal(db, debt, attempt, event, url)
}

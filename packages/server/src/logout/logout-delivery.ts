// Pays logout debts: takes what is due, judges whether the sign-in is really over, signs a token, posts it and
// records what came back. At most 64 attempts run on a node and 8 for one host, so that a slow server keeps
// no other waiting. An attempt that is cut off is made again, by any node. Contract §12.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness, Randomness } from '../kernel/randomness.ts'
import { signJws } from '../keys/jws.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { decideSignInEnd, livenessCutoff, planSignInEnd } from '../liveness/liveness.ts'
import {
  buildLogoutClaims,
  decideLogoutOutcome,
  decideRetryMs,
  type LogoutAnswer,
  type LogoutNotice,
  transactionOf,
} from './logout.ts'
import type { HasLogoutSender } from './logout-sender.ts'
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

type Parts = HasClock & HasConfig & HasDatabase & HasKeys & HasLog & HasLogoutSender & HasRandomness

/** A node that dies gives its debts back after this time; more than an attempt takes. */
const HOLD_MS = 30_000
const MAX_RUNNING = 64
const MAX_FOR_A_HOST = 8
/** How soon a debt is looked at again whose host has enough attempts running. */
const BUSY_MS = 1_000

export interface LogoutDelivery {
  /** Begins attempts for what is due. Resolves with true when there may be more. */
  begin(signal: AbortSignal): Promise<boolean>
  /** Resolves when no attempt runs. */
  settled(): Promise<void>
}

export function logoutDelivery(service: Parts): LogoutDelivery {
  const running = new Set<Promise<void>>()
  /** The apps of each host, one entry for each attempt that runs. */
  const hosts = new Map<string, string[]>()

  const busyApps = () => [
    ...new Set([...hosts.values()].filter(({ length }) => length >= MAX_FOR_A_HOST).flat()),
  ]

  async function attempt(debt: LogoutDebt, signal: AbortSignal): Promise<void> {
    const { db } = service
    const now = service.clock()
    if (!(await isOver(service, debt, now))) return
    const receiver = await findReceiver(db, debt.appId)
    const { url } = receiver ?? {}
    if (!receiver || url === undefined) {
      const answer = { status: undefined, answer: '' }
      return recordEnd(service, debt, { ...answer, at: now, outcome: 'no_address' }, undefined)
    }
    const { host } = new URL(url)
    const apps = hosts.get(host) ?? []
    if (apps.length >= MAX_FOR_A_HOST) return putBackDebt(db, debt, now + BUSY_MS)
    hosts.set(host, [...apps, debt.appId])
    try {
      await deliver(service, debt, { ...receiver, url }, signal)
    } finally {
      const rest = [...(hosts.get(host) ?? [])]
      rest.splice(rest.indexOf(debt.appId), 1)
      if (rest.length > 0) hosts.set(host, rest)
      else hosts.delete(host)
    }
  }

  function start(debt: LogoutDebt, signal: AbortSignal): void {
    const done = attempt(debt, signal).catch((error: unknown) => {
      // It is due again when it is held no more.
      if (!signal.aborted)
        service.log.error({ err: error }, 'a logout notice failed; it is sent again')
    })
    running.add(done)
    void done.finally(() => running.delete(done))
  }

  return {
    async begin(signal) {
      const limit = MAX_RUNNING - running.size
      if (limit <= 0) return true
      const now = service.clock()
      const taking = { now, heldUntil: now + HOLD_MS, limit, without: busyApps() }
      const debts = await takeDueDebts(service.db, taking)
      for (const debt of debts) start(debt, signal)
      return debts.length === limit
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** A debt whose sign-in goes on, because there was activity, is due at its new end. */
async function isOver({ db, config }: Parts, debt: LogoutDebt, now: number): Promise<boolean> {
  if (debt.isEnded) return true
  const signIn = await findSignInTimes(db, debt.signInId)
  const cutoff = livenessCutoff(now, config.sessionIdleSeconds)
  if (!signIn || decideSignInEnd(signIn, cutoff)) return true
  await putBackDebt(db, debt, planSignInEnd(signIn, cutoff).at)
  return false
}

/** Also for the test of a developer, with a notice of no session. */
export async function postLogoutToken(
  service: HasClock & HasConfig & HasKeys & HasLogoutSender & HasRandomness,
  { clientId, url }: { readonly clientId: string; readonly url: string },
  notice: LogoutNotice,
  signal?: AbortSignal,
): Promise<LogoutAnswer> {
  const now = service.clock()
  const claims = buildLogoutClaims({
    issuer: service.config.issuerUrl,
    clientId,
    notice,
    jti: service.randomness.bytes(16).toString('base64url'),
    now,
  })
  const token = await signJws(service.keys.signer(now), claims, 'logout+jwt')
  return service.logoutSender.send(url, token, signal)
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
  const dueAt = at + decideRetryMs(debt.attempts, randomShare(service.randomness))
  await recordRetry(service.db, debt, made, dueAt)
}

const randomShare = (randomness: Randomness) => randomness.bytes(2).readUInt16BE() / 0xffff

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

// The list of the background jobs and their intervals. Each job is a call into the room that owns it;
// this file decides nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import { warnOfExpiringSecrets } from '../apps/secret-expiry.ts'
import { CHAIN, extendChains } from '../audit/audit-chain.ts'
import { CHAIN_SLOTS } from '../audit/audit-link-store.ts'
import { auditService } from '../audit/service-event.ts'
import type { HasCacheVersions } from '../cluster/cache-versions.ts'
import type { HasDatabaseClock } from '../cluster/database-clock.ts'
import { type HasBroadcast, POLLING, type SessionBroadcast } from '../cluster/session-broadcast.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { deleteExpiredInvitationsStatement } from '../credentials/invitation-store.ts'
import type { HasDatabase } from '../db/database.ts'
import { DAILY_PROOF, proveDueDomains } from '../domains/domain-proof.ts'
import type { HasTxtLookup } from '../domains/txt-lookup.ts'
import { deleteEnded } from '../http/admission/rate-limit-store.ts'
import type { HasRegionGate } from '../http/admission/region-gate.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { rotateIfDue } from '../keys/key-rotation.ts'
import { keyTimesOf } from '../keys/key-schedule.ts'
import { masterKeysOf } from '../keys/master-key.ts'
import { deleteExpiredJwts } from '../keys/used-jwt-store.ts'
import { countLaunchesByTime } from '../launches/health/launch-counting.ts'
import { logoutDelivery } from '../logout/logout-delivery.ts'
import { EXPIRY, endExpiredMemberships } from '../members/member-expiry.ts'
import type { HasNoticeSender } from '../preflight/notice-sender.ts'
import { widenRollouts } from '../running/rollout-widening.ts'
import { deleteExpiredFlowsStatement } from '../sign-in/client-flow/sign-in-flow-store.ts'
import { deleteExpiredInteractionsStatement } from '../sign-in/interaction/interaction-store.ts'
import { eraseUninvited } from '../users/user-store.ts'
import { noticeFailingLaunches } from '../webhooks/failing-launches.ts'
import { webhookDelivery } from '../webhooks/webhook-delivery.ts'
import type { BackgroundJob } from './job-runner.ts'
import { sweep } from './sweep.ts'

const MINUTE_MS = 60_000
/** The rate-limit counters and used assertions that are deleted at a time. */
const LIMITS_BATCH = 500
/** A user who was invited so long ago, without an account and a login method, is not expected any more. */
const UNINVITED_MS = 30 * 24 * 60 * MINUTE_MS
const UNINVITED_BATCH = 200

type Parts = HasBroadcast &
  HasCacheVersions &
  HasClock &
  HasConfig &
  HasDatabase &
  HasDatabaseClock &
  HasKeys &
  HasLog &
  HasNoticeSender &
  HasRandomness &
  HasRegionGate &
  HasSubscriptions &
  HasTxtLookup

export function backgroundJobs(service: Parts): BackgroundJob[] {
  const { config, db, clock, randomness, log } = service
  const masters = masterKeysOf(config, randomness)
  const times = keyTimesOf(config)
  const { broadcast, time } = service
  let lateEventsAt = clock()
  const firstSlot = randomness.bytes(1).readUInt8() % CHAIN_SLOTS
  return [
    ...(broadcast ? broadcastJobs(service, broadcast, time.mayDelete) : []),
    ...deletingJobs(service),
    {
      name: 'cache versions',
      everyMs: 500,
      async run() {
        await service.cacheVersions.check()
        return undefined
      },
    },
    {
      name: 'regions',
      everyMs: MINUTE_MS,
      async run() {
        await service.regions.refresh()
        return undefined
      },
    },
    {
      name: 'keys',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        const done = await rotateIfDue({ db, masters, randomness, times, now: clock() })
        await auditKeys(service, done)
        if (done.created.length > 0)
          log.info({ kids: done.created }, 'created the next signing keys')
        if (done.retired.length > 0) log.info({ kids: done.retired }, 'retired signing keys')
        return undefined
      },
    },
    {
      name: 'expiring secrets',
      everyMs: 10 * MINUTE_MS,
      async run() {
        await warnOfExpiringSecrets(service)
        return undefined
      },
    },
    ...noticeJobs(service),
    {
      name: 'domains',
      everyMs: DAILY_PROOF.everyMs,
      async run(signal) {
        return (await proveDueDomains(service, signal)) < DAILY_PROOF.batch ? undefined : 0
      },
    },
    ...launchJobs(service),
    {
      name: 'audit chain',
      everyMs: CHAIN.everyMs,
      async run(signal) {
        const now = clock()
        const includeLateEvents = now - lateEventsAt >= CHAIN.lateEventsEveryMs
        const chained = await extendChains(db, now, { includeLateEvents, firstSlot, signal })
        if (chained !== undefined && includeLateEvents) lateEventsAt = now
        return undefined
      },
    },
  ]
}

/** Jobs that read how launches did. */
function launchJobs(service: Parts): BackgroundJob[] {
  return [
    {
      name: 'launch counts',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        await countLaunchesByTime(service)
        return undefined
      },
    },
    {
      name: 'rollouts',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        await widenRollouts(service)
        return undefined
      },
    },
  ]
}

/** Jobs that send notices to servers of others. */
function noticeJobs(service: Parts): BackgroundJob[] {
  const logouts = logoutDelivery(service)
  const webhooks = webhookDelivery(service)
  return [
    {
      name: 'logout notices',
      everyMs: 1000,
      async run(signal) {
        // At the stop of the node attempts are cut off; another node makes them again.
        return (await logouts.begin(signal)) ? 50 : undefined
      },
    },
    {
      name: 'webhook events',
      everyMs: 1000,
      async run(signal) {
        return (await webhooks.begin(signal)) ? 50 : undefined
      },
    },
    {
      name: 'failing launches',
      everyMs: MINUTE_MS,
      async run() {
        await noticeFailingLaunches(service)
        return undefined
      },
    },
  ]
}

/** Jobs that delete what has expired. */
function deletingJobs(service: Parts): BackgroundJob[] {
  const { db, clock, log } = service
  return [
    {
      name: 'rate limits',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        // A full batch means that there are more.
        return (await deleteEnded(db, clock(), LIMITS_BATCH)) < LIMITS_BATCH ? undefined : 1000
      },
    },
    {
      name: 'client assertions',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        const deleted = await deleteExpiredJwts(db, clock(), LIMITS_BATCH)
        return deleted < LIMITS_BATCH ? undefined : 1000
      },
    },
    {
      name: 'sign-in',
      everyMs: MINUTE_MS,
      deletes: true,
      async run() {
        const now = clock()
        await db.write(
          deleteExpiredFlowsStatement(now),
          deleteExpiredInteractionsStatement(now),
          deleteExpiredInvitationsStatement(now),
        )
        return undefined
      },
    },
    {
      name: 'ending memberships',
      everyMs: EXPIRY.everyMs,
      deletes: true,
      async run() {
        return (await endExpiredMemberships(service)) < EXPIRY.batch ? undefined : 0
      },
    },
    {
      name: 'uninvited users',
      everyMs: 60 * MINUTE_MS,
      deletes: true,
      async run() {
        const now = clock()
        const createdBefore = now - UNINVITED_MS
        const erased = await eraseUninvited(db, { createdBefore, now, limit: UNINVITED_BATCH })
        await auditService(
          service,
          erased.map((target) => ({ action: 'eraseUser', target })),
        )
        return undefined
      },
    },
    {
      name: 'sweep',
      everyMs: MINUTE_MS,
      deletes: true,
      async run(signal) {
        const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
        const swept = await sweep(service, { pause, signal })
        if (!swept) return undefined
        if (Object.values(swept.removed).some((count) => count > 0)) {
          log.debug({ ...swept.removed }, 'expired rows removed')
        }
        return swept.isDone ? undefined : 0
      },
    },
  ]
}

/** The keys that this node made and retired by the schedule; the command line audits its own. */
async function auditKeys(
  service: HasClock & HasDatabase & HasRandomness,
  {
    created,
    retired,
  }: { readonly created: readonly string[]; readonly retired: readonly string[] },
): Promise<void> {
  await auditService(service, [
    ...created.map((target) => ({ action: 'createKey', target })),
    ...retired.map((target) => ({ action: 'retireKey', target })),
  ])
}

function broadcastJobs(
  { subscriptions }: HasSubscriptions,
  broadcast: SessionBroadcast,
  mayDelete: () => boolean,
): BackgroundJob[] {
  return [
    {
      name: 'session notifications',
      everyMs: POLLING.everyMs,
      async run() {
        await subscriptions.poll()
        return undefined
      },
    },
    {
      name: 'session subscriptions',
      everyMs: POLLING.renewEveryMs,
      async run() {
        await broadcast.renew(mayDelete())
        return undefined
      },
    },
  ]
}

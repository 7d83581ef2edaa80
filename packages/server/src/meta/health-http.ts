// Health probes: live (the process runs) and ready (the database accepts writes, and the clock is right). A supervisor does not
// restart a node that is live but not ready, and a balancer passes it over; so live answers within
// 200 ms. Both are public: they show the cause and no internal detail.

import type { ClockFault, HasDatabaseClock } from '../cluster/database-clock.ts'
import type { HasDrain } from '../cluster/drain.ts'
import type { HasPartitionHealth } from '../cluster/partition-health.ts'
import type { PartitionCount } from '../cluster/partition-store.ts'
import type { HasReadiness } from '../cluster/readiness.ts'
import type { HasConfig } from '../config/config.ts'
import type { DatabaseFault } from '../db/database.ts'
import type { Answer } from '../http/call.ts'
import type { LIVE, NOT_READY, READY } from './meta-schema.ts'

/** Probes time out after a second or two; the last known state is then the better answer. */
const READY_MAX_WAIT_MS = 800
const LIVE_MAX_WAIT_MS = 200

const CAUSES: Readonly<Record<DatabaseFault, string>> = {
  unreachable: 'The database cannot be reached.',
  read_only: 'The database is read-only: it was demoted, or its settings make it so.',
  full: 'The disk of the database is full or refuses writes.',
  busy: 'The database is busy.',
  unresponsive: 'The database is connected and does not answer.',
  failing: 'The database answers with errors of its own.',
}

type HealthService = HasConfig & HasDrain & HasPartitionHealth & HasReadiness & HasDatabaseClock

export async function showLive(service: HealthService): Promise<Answer<200, typeof LIVE>> {
  const cause = await findCause(service, LIVE_MAX_WAIT_MS)
  return { status: 200, headers: NO_CACHE, body: { status: 'live', ready: !cause } }
}

export async function showReady(
  service: HealthService,
): Promise<Answer<200, typeof READY> | Answer<503, typeof NOT_READY>> {
  const [cause, partitions] = await Promise.all([
    findCause(service, READY_MAX_WAIT_MS),
    service.partitions.count(READY_MAX_WAIT_MS),
  ])
  if (!cause) {
    const degraded = findDefect(service.config, partitions)
    const body = { status: 'ready', ready: true, ...(degraded && { degraded }) } as const
    return { status: 200, headers: NO_CACHE, body }
  }
  return {
    status: 503,
    headers: { ...NO_CACHE, 'retry-after': '5' },
    body: { status: 'not ready', ready: false, cause },
  }
}

/** Finds what every node of the installation lacks, so that a balancer must not act on it. */
function findDefect(
  { environment, hostOrigins }: HasConfig['config'],
  { all, unavailable }: PartitionCount,
): string | undefined {
  const hasHost = environment !== 'production' || hostOrigins.length > 0
  const defects = [
    ...(hasHost ? [] : ['CHARTSIDE_HOST_ORIGINS is empty: no extension can open apps.']),
    ...(unavailable === 0
      ? []
      : [`${unavailable} of ${all} partitions of the database cannot be reached.`]),
  ]
  return defects.length > 0 ? defects.join(' ') : undefined
}

/** Returns why the node is not ready; undefined when it is. */
async function findCause(
  { config, drain, readiness, time }: HealthService,
  maxWaitMs: number,
): Promise<string | undefined> {
  if (drain.isDraining()) return 'The node is stopping; it serves what it gets meanwhile.'
  const fault = await readiness.findFault(maxWaitMs)
  if (fault) return CAUSES[fault]
  const clockFault = time.findFault()
  return clockFault && describeClock(clockFault, config.maxClockOffsetMs)
}

function describeClock({ kind, offsetMs }: ClockFault, maxOffsetMs: number): string {
  const by = `${Math.abs(offsetMs) / 1000} s ${offsetMs > 0 ? 'ahead' : 'behind'}`
  return kind === 'offset'
    ? `The clock of this node is ${by} of the database's; ${maxOffsetMs / 1000} s are allowed.`
    : `The clock of this machine was set while the service ran: it is ${by} of before.`
}

const NO_CACHE = { 'cache-control': 'no-store' } as const

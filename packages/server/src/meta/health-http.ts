// Health probes: live (the process runs) and ready (the database accepts writes). A supervisor does not
// restart a node that is live but not ready, and a balancer passes it over; so live answers within
// 200 ms. Both are public: they show the cause and no internal detail.

import type { DatabaseFault } from '../db/database.ts'
import type { Answer } from '../http/route.ts'
import type { Service } from '../service.ts'
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

export async function showLive({
  readiness,
}: Pick<Service, 'readiness'>): Promise<Answer<200, typeof LIVE>> {
  const fault = await readiness.findFault(LIVE_MAX_WAIT_MS)
  return { status: 200, headers: NO_CACHE, body: { status: 'live', ready: !fault } }
}

export async function showReady({
  readiness,
}: Pick<Service, 'readiness'>): Promise<Answer<200, typeof READY> | Answer<503, typeof NOT_READY>> {
  const fault = await readiness.findFault(READY_MAX_WAIT_MS)
  if (!fault) return { status: 200, headers: NO_CACHE, body: { status: 'ready', ready: true } }
  return {
    status: 503,
    headers: { ...NO_CACHE, 'retry-after': '5' },
    body: { status: 'not ready', ready: false, cause: CAUSES[fault] },
  }
}

const NO_CACHE = { 'cache-control': 'no-store' } as const

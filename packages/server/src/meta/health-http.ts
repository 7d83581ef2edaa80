// Whether this node runs (live) and whether it can do its work (ready): the database takes writes.
// A node that is live but not ready is left alone by its supervisor and passed over by its balancer,
// so live waits a fifth of a second at most. Tells everybody the cause, never an inside.

import type { DatabaseFault } from '../db/database.ts'
import type { Answer } from '../http/route.ts'
import type { Service } from '../service.ts'
import type { LIVE, NOT_READY, READY } from './meta-schema.ts'

/** Probes give up after a second or two; what was last known is then the better answer. */
const READY_PATIENCE_MS = 800
const LIVE_PATIENCE_MS = 200

const CAUSES: Readonly<Record<DatabaseFault, string>> = {
  unreachable: 'The database cannot be reached.',
  read_only: 'The database is read-only: it was demoted, or its settings make it so.',
  full: 'The disk of the database is full or refuses writes.',
  busy: 'The database is busy.',
  silent: 'The database is connected and does not answer.',
  failing: 'The database answers with errors of its own.',
}

export async function showLive({ readiness }: Service): Promise<Answer<200, typeof LIVE>> {
  const trouble = await readiness.findFault(LIVE_PATIENCE_MS)
  return { status: 200, headers: NEVER_KEPT, body: { status: 'live', ready: !trouble } }
}

export async function showReady({
  readiness,
}: Service): Promise<Answer<200, typeof READY> | Answer<503, typeof NOT_READY>> {
  const trouble = await readiness.findFault(READY_PATIENCE_MS)
  if (!trouble) return { status: 200, headers: NEVER_KEPT, body: { status: 'ready', ready: true } }
  return {
    status: 503,
    headers: { ...NEVER_KEPT, 'retry-after': '5' },
    body: { status: 'not ready', ready: false, cause: CAUSES[trouble] },
  }
}

const NEVER_KEPT = { 'cache-control': 'no-store' } as const

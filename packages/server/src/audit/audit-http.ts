// The edge of the audit trail: pages of events, and the whole trail of an account as JSON Lines with its
// chain, for `chartside audit verify`. Only reads; the rooms write the events.

import { Readable } from 'node:stream'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { parseTimeQuery } from '../http/input/time-query.ts'
import { notAllowed, requireAccess } from '../kernel/access.ts'
import { rfc3339 } from '../kernel/time.ts'
import { PLATFORM } from './audit.ts'
import { readExport } from './audit-export-file.ts'
import { findEventNames } from './audit-name-store.ts'
import type { AUDIT_EVENTS } from './audit-schema.ts'
import { findOwner } from './audit-store.ts'
import { cursorOf, NEWEST, type PlacedEvent, scanEvents } from './audit-trail.ts'

const eventBody = (event: PlacedEvent) => ({
  id: event.id,
  at: rfc3339(event.at),
  actor: event.actor,
  action: event.action,
  target: event.target,
  accountId: event.accountId,
  ...(event.launchId === undefined ? {} : { launchId: event.launchId }),
  ip: event.ip,
  outcome: event.outcome,
  detail: event.detail,
  ...(event.chain === undefined ? {} : { chain: event.chain }),
})

/** The account of the trail, if the caller may read it. @throws ApiError 404, 403 */
async function loadTrail(
  service: HasDatabase,
  call: Omit<PersonCall, 'params'> & { readonly params: { readonly id?: string } },
): Promise<string> {
  const { id } = call.params
  if (id === undefined) {
    if (call.person.user.role !== 'admin') throw notAllowed(call.permission)
    return call.query.accountId ?? PLATFORM
  }
  const accountId = await findOwner(service.db, id)
  // A deleted account has no members; platform administrators read its trail here too.
  return requireAccess(call, 'account', accountId === id ? { accountId } : undefined).accountId
}

export async function listAuditEvents(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof AUDIT_EVENTS>> {
  const accountId = await loadTrail(service, call)
  const page = parsePage(call.query, { of: ['evt', 'seq'], start: NEWEST })
  const { about, outcome } = call.query
  const asked = {
    accountId,
    before: page.cursor,
    about: about || undefined,
    outcome,
    from: parseTimeQuery(call.query, 'from'),
    to: parseTimeQuery(call.query, 'to'),
  }
  const { events, next } = await scanEvents(service.db, { ...asked, limit: page.limit + 1 })
  const body = buildPage(events, page, eventBody)
  const last = body.nextCursor === null ? undefined : events[body.items.length - 1]
  const nextCursor = last ? cursorOf(last) : (next ?? null)
  const trail = { accountId, isReadByPlatform: call.person.user.role === 'admin' }
  const names = await findEventNames(service.db, body.items, trail)
  return { status: 200, body: { ...body, nextCursor, names } }
}

export async function exportAuditEvents(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200>> {
  const accountId = await loadTrail(service, call)
  return {
    status: 200,
    headers: {
      'content-type': 'application/jsonl',
      'content-disposition': `attachment; filename="audit-${accountId.replace(/\W/g, '')}.jsonl"`,
      'cache-control': 'no-store',
    },
    body: Readable.from(readExport(service.db, accountId)),
  }
}

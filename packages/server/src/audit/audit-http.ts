// The edge of the audit trail: pages of events, the whole trail of an account as JSON Lines with its chain for
// `chartside audit verify`, and the events of a filter as CSV. Only reads; the rooms write the events.

import { Readable } from 'node:stream'
import { isAuditAction } from '@chartside/protocol/audit-actions'
import type { HasDatabase } from '../db/database.ts'
import type { Answer, PersonCall } from '../http/call.ts'
import { buildPage, parsePage } from '../http/input/pagination.ts'
import { parseTimeQuery } from '../http/input/time-query.ts'
import { notAllowed, requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { rfc3339 } from '../kernel/time.ts'
import { PLATFORM } from './audit.ts'
import { readCsv } from './audit-csv.ts'
import { readExport } from './audit-export-file.ts'
import { findEventNames } from './audit-name-store.ts'
import { type AUDIT_EVENTS, AUDIT_FILTERS } from './audit-schema.ts'
import { findOwner } from './audit-store.ts'
import { cursorOf, type EventFilter, NEWEST, type PlacedEvent, scanEvents } from './audit-trail.ts'

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

/** @throws ApiError 400 for what no event can be */
function parseFilter(accountId: string, query: PersonCall['query']): EventFilter {
  const { about, actor, action, outcome } = query
  const actions = action === undefined || action === '' ? undefined : action.split(',')
  const unknown = actions?.find((name) => !isAuditAction(name))
  if (unknown !== undefined) {
    throw new ApiError('invalid_request', 'This action is not known.', [
      { field: 'action', message: 'Send names of actions with commas between them, no other.' },
    ])
  }
  return {
    accountId,
    about: about || undefined,
    actor: actor || undefined,
    actions: actions && new Set(actions),
    outcome,
    from: parseTimeQuery(query, 'from'),
    to: parseTimeQuery(query, 'to'),
  }
}

const isReadByPlatform = ({ person }: PersonCall) => person.user.role === 'admin'

export async function listAuditEvents(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof AUDIT_EVENTS>> {
  const accountId = await loadTrail(service, call)
  const page = parsePage(call.query, { of: ['evt', 'seq'], start: NEWEST })
  const asked = { ...parseFilter(accountId, call.query), before: page.cursor }
  const { events, next } = await scanEvents(service.db, { ...asked, limit: page.limit + 1 })
  const body = buildPage(events, page, eventBody)
  const last = body.nextCursor === null ? undefined : events[body.items.length - 1]
  const nextCursor = last ? cursorOf(last) : (next ?? null)
  const trail = { accountId, isReadByPlatform: isReadByPlatform(call) }
  const names = await findEventNames(service.db, body.items, trail)
  return { status: 200, body: { ...body, nextCursor, names } }
}

export async function exportAuditEvents(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200>> {
  const accountId = await loadTrail(service, call)
  const isCsv = call.query.format === 'csv'
  // A part of a chain cannot be verified.
  const extra = Object.keys(AUDIT_FILTERS).find((name) => call.query[name] !== undefined)
  if (!isCsv && extra !== undefined) {
    throw new ApiError('invalid_request', 'Only an export as CSV takes filters.', [
      { field: extra, message: 'Send it with format=csv, or leave it out.' },
    ])
  }
  const reader = { isPlatform: isReadByPlatform(call) }
  const lines = isCsv
    ? readCsv(service.db, parseFilter(accountId, call.query), reader)
    : readExport(service.db, accountId)
  const name = `audit-${accountId.replace(/\W/g, '')}.${isCsv ? 'csv' : 'jsonl'}`
  return {
    status: 200,
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
    body: Readable.from(lines),
  }
}

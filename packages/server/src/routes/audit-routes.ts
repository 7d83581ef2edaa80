// The routes of the audit trail: of one account for who runs it, of all for the platform.
// Contract §4 (audit events).
import { exportAuditEvents, listAuditEvents } from '../audit/audit-http.ts'
import { listQuery } from '../http/page-of.ts'
import { personRoute, type Route } from '../http/route.ts'
import { AUDIT_EVENTS } from './answers.ts'

const EXPORT =
  'The trail as JSON Lines, each with its place and hash; chartside audit verify checks it'

export const AUDIT_ROUTES: readonly Route[] = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/audit-events',
    operation: 'listAuditEvents',
    summary: 'What happened in an account, newest first.',
    needs: 'run',
    of: 'account',
    query: listQuery(),
    answers: { 200: AUDIT_EVENTS },
    handle: listAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/audit-events/export',
    operation: 'exportAuditEvents',
    summary: 'The whole trail of an account, to keep and to verify offline.',
    needs: 'run',
    of: 'account',
    answers: { 200: EXPORT },
    handle: exportAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/audit-events',
    operation: 'listPlatformAuditEvents',
    summary: 'What happened on the platform, or in any account, deleted ones too.',
    needs: 'platform',
    of: 'account',
    query: listQuery('accountId'),
    answers: { 200: AUDIT_EVENTS },
    handle: listAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/audit-events/export',
    operation: 'exportPlatformAuditEvents',
    summary: 'The whole trail of the platform, or of any account, deleted ones too.',
    needs: 'platform',
    of: 'account',
    query: { type: 'object', properties: { accountId: { type: 'string', maxLength: 64 } } },
    answers: { 200: EXPORT },
    handle: exportAuditEvents,
  }),
]

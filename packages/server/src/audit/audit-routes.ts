// The addresses of this room: who may call each, what it takes and gives, and its handler.
// routes.ts puts them into the table.

import { personRoute } from '../route-builders.ts'
import { exportAuditEvents, listAuditEvents } from './audit-http.ts'
import {
  AUDIT_EVENTS,
  AUDIT_QUERY,
  EXPORT_QUERY,
  PLATFORM_AUDIT_QUERY,
  PLATFORM_EXPORT_QUERY,
} from './audit-schema.ts'

const EXPORT =
  'The trail as JSON Lines, each with its place and hash; chartside audit verify checks it. Or CSV'

export const AUDIT_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/audit-events',
    operation: 'listAuditEvents',
    summary: 'List the audit events of an account, newest first.',
    permission: 'run',
    resource: 'account',
    query: AUDIT_QUERY,
    answers: { 200: AUDIT_EVENTS },
    handle: listAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/audit-events/export',
    operation: 'exportAuditEvents',
    summary: 'Export the whole audit trail of an account, for offline verification.',
    permission: 'run',
    resource: 'account',
    query: EXPORT_QUERY,
    answers: { 200: EXPORT },
    handle: exportAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/audit-events',
    operation: 'listPlatformAuditEvents',
    summary: 'List the audit events of the platform or of any account, deleted ones too.',
    permission: 'platform',
    resource: 'account',
    query: PLATFORM_AUDIT_QUERY,
    answers: { 200: AUDIT_EVENTS },
    handle: listAuditEvents,
  }),
  personRoute({
    method: 'GET',
    path: '/api/audit-events/export',
    operation: 'exportPlatformAuditEvents',
    summary: 'Export the whole audit trail of the platform or of any account.',
    permission: 'platform',
    resource: 'account',
    query: PLATFORM_EXPORT_QUERY,
    answers: { 200: EXPORT },
    handle: exportAuditEvents,
  }),
]

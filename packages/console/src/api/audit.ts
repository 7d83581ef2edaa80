// The calls about audit trails: pages of events with filters, and the address of the export. The trail of
// the platform is that of events of no account.
import type { AuditEvent } from '@chartside/protocol/payloads'
import { BASE } from '../installation.ts'
import type { Scope } from '../session/scopes.ts'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = ({ kind, id }: Scope) =>
  kind === 'platform' ? '/api/audit-events' : `/api/accounts/${encodeURIComponent(id)}/audit-events`

export const listAuditEvents = (
  scope: Scope,
  query: {
    readonly about?: string
    readonly outcome?: string
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly cursor?: string | undefined
  },
  options?: CallOptions,
) => api.get<Page<AuditEvent>>(withQuery(pathOf(scope), { ...query }), options)

export const exportAddress = (scope: Scope): string => `${BASE}${pathOf(scope)}/export`

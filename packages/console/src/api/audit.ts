// The calls about audit trails: pages of events with filters, and the addresses of the exports. The trail of
// the platform is that of events of no account.
import type { AuditEvent } from '@chartside/protocol/payloads'
import { BASE } from '../installation.ts'
import type { Scope } from '../session/scopes.ts'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = ({ kind, id }: Scope) =>
  kind === 'platform' ? '/api/audit-events' : `/api/accounts/${encodeURIComponent(id)}/audit-events`

/** The event has the names of its actor and its target, as far as the reader may know them. */
export interface NamedEvent extends AuditEvent {
  readonly names: Readonly<Record<string, string>>
}

interface EventPage extends Page<AuditEvent> {
  readonly names: NamedEvent['names']
}

/** The query for events; each member narrows them. */
export interface EventQuery {
  readonly about?: string | undefined
  readonly actor?: string | undefined
  /** Names with commas between them. */
  readonly action?: string | undefined
  readonly outcome?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function listAuditEvents(
  scope: Scope,
  query: EventQuery & { readonly cursor?: string | undefined; readonly limit?: number },
  options?: CallOptions,
): Promise<Page<NamedEvent>> {
  const address = withQuery(pathOf(scope), { ...query })
  const { items, names, ...page } = await api.get<EventPage>(address, options)
  return { ...page, items: items.map((event) => ({ ...event, names })) }
}

export const exportAddress = (scope: Scope): string => `${BASE}${pathOf(scope)}/export`

export const csvAddress = (scope: Scope, query: EventQuery): string =>
  withQuery(exportAddress(scope), { ...query, format: 'csv' })

// The calls about audit trails: pages of events with filters, and the address of the export. The trail of
// the platform is that of events of no account.
import type { AuditEvent } from '@chartside/protocol/payloads'
import { BASE } from '../installation.ts'
import type { Scope } from '../session/scopes.ts'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

const pathOf = ({ kind, id }: Scope) =>
  kind === 'platform' ? '/api/audit-events' : `/api/accounts/${encodeURIComponent(id)}/audit-events`

/** With the names of its actor and its target, as far as the reader may know them. */
export interface NamedEvent extends AuditEvent {
  readonly names: Readonly<Record<string, string>>
}

interface EventPage extends Page<AuditEvent> {
  readonly names: NamedEvent['names']
}

export async function listAuditEvents(
  scope: Scope,
  query: {
    readonly about?: string
    readonly outcome?: string
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly cursor?: string | undefined
  },
  options?: CallOptions,
): Promise<Page<NamedEvent>> {
  const address = withQuery(pathOf(scope), { ...query })
  const { items, names, ...page } = await api.get<EventPage>(address, options)
  return { ...page, items: items.map((event) => ({ ...event, names })) }
}

export const exportAddress = (scope: Scope): string => `${BASE}${pathOf(scope)}/export`

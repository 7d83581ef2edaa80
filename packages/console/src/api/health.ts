// The call of the overview "Is it well?": of the platform, a practice or a vendor. It is read again and again, which
// is no activity of the person.
import type { HealthOverview } from '@chartside/protocol/payloads'
import type { Scope } from '../session/scopes.ts'
import { api, withQuery } from './client.ts'

export const loadHealthOverview = (scope: Scope, hours: string, signal: AbortSignal) =>
  api.get<HealthOverview>(
    withQuery('/api/health/overview', {
      hours,
      accountId: scope.kind === 'platform' ? undefined : scope.id,
    }),
    { signal, isBackground: true },
  )

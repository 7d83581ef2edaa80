// A page that sends an exchange with a header or as JSON: its browser asks by OPTIONS first, and then sends nothing.
// That request names no code, so the launches are those that wait for an exchange and whose code went to this
// origin. A right app never makes one. The answer stays as it is, without CORS headers. Not in production, where
// a stranger can forge such a request and so make the launches of others look failed. Contract §2 and §3.
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { OAuthCall } from '../http/call.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { describeSent } from '../launches/evidence.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { CorsPreflight } from '../route.ts'
import { recordExchangeFailure } from './exchange-evidence.ts'
import { listWaitingLaunches } from './token-store.ts'

type Parts = HasClock &
  HasConfig &
  HasDatabase &
  HasMetrics &
  HasRandomness &
  HasRateLimits &
  HasSubscriptions

/** A page may ask within this time after its code. */
const RECENT_MS = 30_000

/** @throws RequestRefused beyond the limit of the token endpoint */
export async function noteExchangePreflight(
  service: Parts,
  call: OAuthCall,
  { origin, headers }: CorsPreflight,
): Promise<void> {
  const { db, config } = service
  if (config.environment === 'production') return
  await service.limits.count(call, call.now, 'clientSecretsOfNetwork')
  const codesFrom = call.now - RECENT_MS
  const launchesFrom = codesFrom - config.launchLifetimeSeconds * 1000
  const waiting = await listWaitingLaunches(db, codesFrom, launchesFrom)
  const reason = 'exchange_from_page'
  const sent = [
    describeSent('origin', origin),
    describeSent('access-control-request-headers', headers),
  ]
  const detail = `A page at ${new URL(origin).origin} tries to send the exchange itself: its browser asked by OPTIONS. A client secret never belongs into a page.`
  for (const { redirectUri, ...launch } of waiting) {
    if (new URL(redirectUri).origin !== origin) continue
    await recordExchangeFailure(service, call, { ...launch, reason, detail, sent })
  }
}

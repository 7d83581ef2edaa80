// Identifies the user by the provider's one-time ticket, and the launch by the service's userinfo.
// In option 3 this server receives no ID token. Stores nothing. Spec §5.3; OpenID Connect Core 1.0
// §5.3 (userinfo).
import type { LaunchIdentity } from '@chartside/app-kit/server'
import { Problem } from './problem.ts'

/**
 * The provider's user id. With a hosted provider this is the code exchange of its own sign-in.
 * @throws Problem when the ticket is unknown, spent or too old
 */
export async function redeemTicket(providerApi: string, ticket: string): Promise<string> {
  const reply = await fetchJson(PROVIDER, `${providerApi}/api/auth/one-time-token/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: ticket }),
  })
  const { user } = reply.body as { readonly user?: { readonly id?: string } }
  if (reply.isOk && user?.id) return user.id
  throw new Problem(401, {
    error: 'ticket_refused',
    cause: 'The provider refused the ticket.',
    fix: 'Launch the app again: a ticket works once, for three minutes.',
  })
}

/** User and launch of a platform access token. @throws Problem when the service refuses it */
export async function fetchUserInfo(baseUrl: string, accessToken: string): Promise<LaunchIdentity> {
  const reply = await fetchJson(SERVICE, `${baseUrl}/app-auth/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  if (!reply.isOk) {
    const cause = `The service answered ${reply.status} to the platform token.`
    throw new Problem(502, { error: 'token_refused', cause, fix: 'Launch the app again.' })
  }
  const claims = reply.body as Readonly<Record<string, string>> & {
    readonly account: LaunchIdentity['account']
  }
  return {
    userId: claims.sub ?? '',
    name: claims.name ?? null,
    email: claims.email ?? null,
    account: claims.account,
    ehrType: claims.ehr_type ?? '',
    sessionId: claims.sid ?? '',
    deviceId: claims.device_id ?? '',
    launchId: claims.launch_id ?? '',
    // Claims of an ID token, which this server does not receive.
    expiresAt: 0,
    jti: '',
  }
}

interface Upstream {
  readonly name: string
  readonly error: string
}

const PROVIDER: Upstream = { name: 'The identity provider', error: 'provider_unreachable' }
const SERVICE: Upstream = { name: 'The service', error: 'service_unreachable' }

/** One request, without a retry. @throws Problem 503 that names the server that did not answer */
async function fetchJson(upstream: Upstream, url: string, init: RequestInit) {
  const limits = { redirect: 'error', signal: AbortSignal.timeout(10_000) } as const
  const response = await fetch(url, { ...init, ...limits }).catch(() => undefined)
  if (!response) throw unreachable(upstream, 'did not answer')
  const { ok: isOk, status } = response
  if (status >= 500 || status === 429) throw unreachable(upstream, `answered ${status}`)
  const body: unknown = await response.json().catch(() => undefined)
  if (isOk && !body) throw unreachable(upstream, 'did not answer with JSON')
  return { isOk, status, body: body ?? {} }
}

const unreachable = ({ name, error }: Upstream, failure: string): Problem =>
  new Problem(503, {
    error,
    cause: `${name} ${failure}.`,
    fix: 'Check that it runs and that this server reaches it, then launch the app again.',
  })

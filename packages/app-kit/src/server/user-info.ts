// Identifies the launch of a platform access token by the service's userinfo, and asks servers behind
// this one, once each. In option 3 this server receives no ID token. Stores nothing. Spec §5.3; OpenID
// Connect Core 1.0 §5.3 (userinfo).
import type { LaunchIdentity } from './launch-identity.ts'
import { Problem } from './problem.ts'

/** Reads user and launch of a platform access token. @throws Problem when the service refuses it */
export async function fetchUserInfo(baseUrl: string, accessToken: string): Promise<LaunchIdentity> {
  const reply = await fetchUpstream(SERVICE, `${baseUrl}/app-auth/userinfo`, {
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

export interface Upstream {
  /** The name at the beginning of a sentence: `The identity provider`. */
  readonly name: string
  /** The code of the error when it does not answer: `provider_unreachable`. */
  readonly error: string
}

const SERVICE: Upstream = { name: 'The service', error: 'service_unreachable' }

/**
 * Sends one request to a server behind this one, without a retry, for at most ten seconds. An answer with a
 * status from 400 to 499, but for 429, is returned.
 * @throws Problem 503 with the upstream's own code when it does not answer, or not with JSON
 * @example const { isOk, body } = await fetchUpstream(PROVIDER, `${providerApi}/verify`, { method: 'POST', body })
 */
export async function fetchUpstream(upstream: Upstream, url: string, init: RequestInit) {
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

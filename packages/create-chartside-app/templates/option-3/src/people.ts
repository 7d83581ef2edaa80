// Who is there: by the provider's one-time ticket, and by what the service says of the platform token.
// In option 3 nobody hands an ID token to this server, so it asks userinfo. Keeps nothing.
// Spec §5.3; OpenID Connect Core 1.0 §5.3 (userinfo).
import type { LaunchIdentity } from '@chartside/app-kit/server'
import { Problem } from './problem.ts'

/**
 * The provider's user id. With a hosted provider this is the code exchange of its own sign-in.
 * @throws Problem when the ticket is unknown, spent or too old
 */
export async function redeemTicket(providerApi: string, ticket: string): Promise<string> {
  const answer = await ask(PROVIDER, `${providerApi}/api/auth/one-time-token/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: ticket }),
  })
  const { user } = answer.body as { readonly user?: { readonly id?: string } }
  if (answer.isGood && user?.id) return user.id
  const fix = 'Launch the app again: a ticket works once, for three minutes.'
  throw new Problem(401, 'ticket_refused', 'The provider does not take the ticket.', fix)
}

/** Whose launch a platform access token belongs to. @throws Problem when the service refuses it */
export async function whoIs(baseUrl: string, accessToken: string): Promise<LaunchIdentity> {
  const answer = await ask(SERVICE, `${baseUrl}/app-auth/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  if (!answer.isGood) {
    const cause = `The service answered ${answer.status} to the platform token.`
    throw new Problem(502, 'token_refused', cause, 'Launch the app again.')
  }
  const claims = answer.body as Readonly<Record<string, string>> & {
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
    // Both are an ID token's, and there is none.
    expiresAt: 0,
    jti: '',
  }
}

interface Asked {
  readonly name: string
  readonly error: string
}

const PROVIDER: Asked = { name: 'The identity provider', error: 'provider_unreachable' }
const SERVICE: Asked = { name: 'The service', error: 'service_unreachable' }

/** A JSON answer of another server, once. @throws Problem 503 that names who is away */
async function ask(whom: Asked, url: string, init: RequestInit) {
  const limits = { redirect: 'error', signal: AbortSignal.timeout(10_000) } as const
  const response = await fetch(url, { ...init, ...limits }).catch(() => undefined)
  if (!response) throw unreachable(whom, 'did not answer')
  const { ok: isGood, status } = response
  if (status >= 500 || status === 429) throw unreachable(whom, `answered ${status}`)
  const body: unknown = await response.json().catch(() => undefined)
  if (isGood && !body) throw unreachable(whom, 'did not answer with JSON')
  return { isGood, status, body: body ?? {} }
}

const unreachable = ({ name, error }: Asked, what: string): Problem => {
  const fix = 'Check that it runs and that this server reaches it, then launch the app again.'
  return new Problem(503, error, `${name} ${what}.`, fix)
}

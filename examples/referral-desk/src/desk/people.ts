// Who is there: by the provider's one-time ticket, and by what the service says of the platform token.
// In option 3 nobody hands an ID token to this server, so it asks userinfo. Keeps nothing.
// Spec §5.3; OpenID Connect Core 1.0 §5.3 (userinfo).
import type { LaunchIdentity } from '@chartside/app-kit/server'
import { Problem } from '@chartside/example-app-shell/problem'

/** The provider's user id. @throws Problem when the ticket is unknown, spent or too old */
export async function redeemTicket(providerApi: string, ticket: string): Promise<string> {
  const response = await post(`${providerApi}/api/auth/one-time-token/verify`, { token: ticket })
  const { user } = response.ok ? ((await response.json()) as { user?: { id?: string } }) : {}
  if (user?.id) return user.id
  throw new Problem(401, {
    error: 'ticket_refused',
    cause: 'The provider does not take the ticket.',
    fix: 'Launch the app again: a ticket works once, for three minutes.',
  })
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })

/** Whose launch a platform access token belongs to. @throws Problem when the service refuses it */
export async function whoIs(baseUrl: string, accessToken: string): Promise<LaunchIdentity> {
  const response = await fetch(`${baseUrl}/app-auth/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) {
    const cause = `The service answered ${response.status} to the platform token.`
    throw new Problem(502, { error: 'token_refused', cause, fix: 'Launch the app again.' })
  }
  const claims = (await response.json()) as {
    readonly [claim: string]: string
  } & { readonly account: LaunchIdentity['account'] }
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

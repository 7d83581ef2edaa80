// Asks the provider who signed in, by its one-time ticket. With a hosted provider this is the code
// exchange of its own sign-in. Stores nothing.
import { fetchUpstream, Problem } from '@chartside/app-kit/server'

const PROVIDER = { name: 'The identity provider', error: 'provider_unreachable' }

/**
 * The provider's user id.
 * @throws Problem when the ticket is unknown, spent or too old, or when the provider does not answer
 */
export async function redeemTicket(providerApi: string, ticket: string): Promise<string> {
  const reply = await fetchUpstream(PROVIDER, `${providerApi}/api/auth/one-time-token/verify`, {
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

// Breaks of the ID token at the app's server, after the exchange and the SDK: clocks, another app,
// another service, a token that comes twice. Spec §5.4.
import type { Break } from './break.ts'
import { credentials, failed, send } from './exchange.ts'

export const ID_TOKEN_BREAKS: readonly Break[] = [
  failed(
    'Server clock ten minutes behind',
    'token_not_yet_valid',
    { kit: () => ({ now: () => Date.now() - 600_000 }) },
    'the clock of this server is behind',
    'Failed at Context',
  ),
  failed(
    'Server clock twenty minutes ahead',
    'token_expired',
    { kit: () => ({ now: () => Date.now() + 1_200_000 }) },
    'the clock of this server is ahead',
    'Failed at Context',
  ),
  failed(
    'ID token for another app',
    'audience_mismatch',
    {
      kit: () => ({ clientId: `cli_${'1'.repeat(32)}` }),
      exchange: async (_kit, code, app, bench) => send(bench, { code, ...credentials(app) }),
    },
    'aud is not exactly the client ID of this app.',
    'Failed at Context',
  ),
  failed(
    'Keys of another service',
    'key_unknown',
    { kit: ({ service }) => ({ jwksUri: `${service}/keys`, fetch: emptyKeys }) },
    'key',
    'Failed at Context',
  ),
  failed(
    'ID token used twice',
    'token_replayed',
    { mode: 'session-twice' },
    'This ID token was accepted before.',
    'Failed at Context',
  ),
]

/** The key set of production has none of the keys of staging. */
function emptyKeys(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const isKeys = String(input).endsWith('/keys')
  return isKeys ? Promise.resolve(Response.json({ keys: [] })) : fetch(input, init)
}

// Breaks of the exchange and of the tokens: the app's server, its secret, the code, the way to the
// service, the clocks. A refusal of the service stands on the card with its reason. Spec §4.2, §5.4.
import type { ExchangeOptions } from '@chartside/app-kit/server'
import { Cut } from './apps.ts'
import { type AppSetup, type Bench, type Break, type BrokenApp, SILENT, SOON } from './break.ts'

const NOT_OPEN = 'could not open'

/** The service refuses the exchange: app and card name its code, the card its reason too. */
const refused = (
  name: string,
  code: string,
  app: AppSetup,
  reason: string,
  words: string,
  page = words,
): Break => ({
  ...{ name, app, code, page, panel: NOT_OPEN, seconds: SOON },
  card: ['Failed at Exchange', `${reason}: ${words}`],
})

/** The service does not see it: the server of the app names the cause, and the page passes it on. */
export const failed = (
  name: string,
  code: string,
  app: AppSetup,
  words: string,
  state = 'Failed at Callback',
  seconds = SOON,
): Break => ({
  ...{ name, app, code, page: words, panel: NOT_OPEN, seconds },
  card: [state, words],
})

/** The app hears no more than any caller does. */
const SECRET_WRONG = 'The client is unknown or its secret is wrong, expired or retired.'
const WRONG_SECRET = `cs_${'0'.repeat(22)}${'A'.repeat(43)}`

/** A caller at this address; the sandbox's service trusts the header from loopback here. */
const callFrom =
  (address: string): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    return fetch(input, { ...init, headers })
  }

export const send = async (bench: Bench, body: object, from: typeof fetch = fetch) =>
  from(`${bench.service}/app-auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'authorization_code', ...body }),
  })

export const credentials = ({ clientId, clientSecret }: BrokenApp) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

const withOptions = (options: ExchangeOptions): AppSetup => ({
  exchange: (kit, code) => kit.exchange(code, options),
})

const CODE_61_S_OLD: AppSetup = {
  exchange: (kit, code, { launchIds }, bench) => {
    bench.age(launchIds.at(-1) ?? '', 'code_expires_at', 61_000)
    return kit.exchange(code)
  },
}

const answered = (answer: () => Response): AppSetup => ({
  answer: ({ pathname }) => (pathname === '/api/exchange' ? answer() : undefined),
})

export const EXCHANGE_BREAKS: readonly Break[] = [
  refused(
    'Client secret wrong',
    'invalid_client',
    { kit: () => ({ clientSecret: WRONG_SECRET }) },
    'secret_wrong',
    'The client secret is wrong, expired or retired.',
    SECRET_WRONG,
  ),
  refused(
    'Client secret in quotes',
    'invalid_client',
    { kit: (app) => ({ clientSecret: `"${app.clientSecret}"` }) },
    'secret_wrong',
    'The client secret is wrong, expired or retired.',
    SECRET_WRONG,
  ),
  {
    ...refused(
      'Client secret retired',
      'invalid_client',
      {},
      'secret_retired',
      'The client secret was retired before this exchange.',
      SECRET_WRONG,
    ),
    prepare: async ({ app, bench: { api } }) => {
      const path = `/api/apps/${app.id}/secrets`
      const [secret] = await api.list<{ id: string }>(path)
      await api.call('DELETE', `${path}/${secret?.id}`)
    },
  },
  refused(
    'Code used twice',
    'invalid_grant',
    {
      exchange: async (kit, code, app, bench) => {
        await send(bench, { code, ...credentials(app) })
        return kit.exchange(code)
      },
    },
    'code_replayed',
    'The code had been exchanged before; the access token that it bought is now revoked.',
  ),
  refused(
    'Doubled effect, by hand',
    'invalid_grant',
    { mode: 'by-hand-twice' },
    'code_replayed',
    'The code had been exchanged before; the access token that it bought is now revoked.',
  ),
  refused(
    'Code 61 seconds old',
    'invalid_grant',
    CODE_61_S_OLD,
    'code_expired',
    'The authorization code was exchanged too late.',
  ),
  failed(
    'Code that is none',
    'invalid_grant',
    { exchange: (kit, code) => kit.exchange(`${code.slice(0, -8)}AAAAAAAA`) },
    'No such authorization code exists, or a newer authorize has replaced it.',
  ),
  refused(
    'Redirect URI differs at the exchange',
    'invalid_grant',
    withOptions({ redirectUri: 'https://app.example/callback' }),
    'redirect_uri_mismatch',
    'redirect_uri differs from the one of the authorize request.',
  ),
  refused(
    'Verifier without a challenge',
    'invalid_grant',
    withOptions({ codeVerifier: 'v'.repeat(43) }),
    'verifier_unexpected',
    'code_verifier was sent although the authorize request had no code_challenge.',
  ),
  failed(
    'Credentials of another app',
    'invalid_grant',
    {
      kit: (_app, bench) => {
        const { clientId, clientSecret } = bench.find('Nothing is wrong')
        return { clientId, clientSecret }
      },
    },
    'No such authorization code exists, or a newer authorize has replaced it.',
  ),
  failed(
    'App id as client id at the exchange',
    'invalid_client',
    {
      exchange: (_kit, code, app, bench) =>
        send(bench, { code, ...credentials(app), client_id: app.id }),
    },
    'client_id',
  ),
  failed(
    'Wrong secrets too often',
    'slow_down',
    {
      kit: () => ({ clientSecret: WRONG_SECRET, fetch: callFrom('23.20.0.1') }),
      exchange: async (kit, code, { clientId }, bench) => {
        const wrong = { client_id: clientId, client_secret: WRONG_SECRET, code: 'code_none' }
        for (let tries = 0; tries < 20; tries += 1) {
          await send(bench, wrong, callFrom('23.20.0.1'))
        }
        return kit.exchange(code)
      },
    },
    'Too many wrong client secrets or assertions. Right ones are accepted at any time.',
    'Failed at Callback',
    10,
  ),
  failed(
    'Server in a region that is not allowed',
    'region_not_allowed',
    { kit: () => ({ fetch: callFrom('193.0.6.139') }) },
    'This request comes from 193.0.6.139 in NL',
  ),
  failed(
    'Token address does not answer',
    'service_unreachable',
    { kit: () => ({ tokenUrl: 'http://127.0.0.1:48/app-auth/token' }) },
    'The token endpoint could not be reached.',
  ),
  failed(
    'Token endpoint slow',
    'exchange_timeout',
    {
      kit: () => ({
        exchangeTimeoutMs: 1_500,
        fetch: (_input, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          }),
      }),
    },
    'The token endpoint did not answer within 1.5 s.',
  ),
  failed(
    'Token address redirects',
    'redirect_refused',
    { kit: ({ service }) => ({ tokenUrl: `${service}/app-auth/authorize?x=`, fetch: redirect }) },
    'The token address redirects to another one.',
  ),
  failed(
    'Token address is another server',
    'answer_unusable',
    { kit: ({ service }) => ({ tokenUrl: `${service}/health`, fetch: (input) => fetch(input) }) },
    'The token endpoint answered with success, but without an access_token string.',
  ),
  failed(
    'App server answers 500',
    'request_failed',
    answered(() => new Response('Internal Server Error', { status: 500 })),
    "The app's server answered 500.",
  ),
  failed(
    'App server answers HTML',
    'request_failed',
    answered(() => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
    "The app's server answered with an HTML page in place of JSON.",
  ),
  failed(
    'App server crashes',
    'server_unreachable',
    answered(() => {
      throw new Cut('the process ended')
    }),
    "The app's server did not answer POST /api/exchange.",
  ),
  {
    ...failed(
      'App server slow',
      'init_not_called',
      {
        answer: ({ pathname }) =>
          pathname === '/api/exchange' ? new Promise(() => {}) : undefined,
      },
      "The app's server has not answered POST /api/exchange for 8 s",
      'Failed at Callback',
      SILENT,
    ),
    page: { silent: 'what the app shows while it waits' },
  },
]

function redirect(): Promise<Response> {
  return Promise.resolve(new Response(null, { status: 307, headers: { location: '/' } }))
}

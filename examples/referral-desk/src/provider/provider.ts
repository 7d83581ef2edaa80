// The identity provider, as a hosted one would be: better-auth with a generic OAuth connection to
// Chartside, which makes the exchange and keeps the platform tokens on the user's identity; and a
// management API in Auth0's form. The desk reaches it by HTTP only. Spec §5.3.
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { oneTimeToken } from 'better-auth/plugins/one-time-token'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'

export interface ProviderOptions {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly providerUrl: string
  /** Where people go after they have signed in; nowhere else, so that no redirect is open. */
  readonly deskUrl: string
  readonly managementToken: string
  readonly log: (line: string) => void
}

/** The connection's name; its callback is `{provider}/api/auth/callback/chartside`. */
export const CONNECTION = 'chartside'

export function createProvider(options: ProviderOptions): Hono {
  const { managementToken } = options
  const auth = createAuth(options)
  const provider = new Hono()
  provider.route('/', createPages(options, auth))

  /** Where the desk's server spends a ticket. */
  provider.post('/api/auth/one-time-token/verify', ({ req }) => auth.handler(req.raw))

  // Auth0's form: GET /api/v2/users/{id} → identities[].access_token, for a management token only.
  provider.use('/api/v2/*', bearerAuth({ token: managementToken }))
  provider.get('/api/v2/users/:id', async ({ req, json, notFound }) => {
    const { internalAdapter } = await auth.$context
    const user = await internalAdapter.findUserById(req.param('id'))
    if (!user) return notFound()
    const accounts = await internalAdapter.findAccounts(user.id)
    return json({
      user_id: user.id,
      identities: accounts.map(({ providerId, accountId, accessToken, idToken }) => ({
        connection: providerId,
        user_id: accountId,
        access_token: accessToken,
        // Auth0 does not keep it; a provider that does makes the second variant possible.
        id_token: idToken,
      })),
    })
  })
  return provider
}

type Auth = ReturnType<typeof createAuth>

/** All that a browser opens here. What fails leads back to the desk, whose page says why. */
function createPages({ providerUrl, deskUrl, log }: ProviderOptions, auth: Auth): Hono {
  const pages = new Hono()
  const sendToDesk = (query: Record<string, string>): string =>
    `${deskUrl}/callback?${new URLSearchParams(query)}`
  pages.use(async (context, next) => {
    await next()
    // A ticket or a code stands in these addresses.
    context.res.headers.set('referrer-policy', 'no-referrer')
    context.res.headers.set('cache-control', 'no-store')
  })

  /** The launch is carried to authorize as `login_hint` (spec §5.3 rule 1). */
  pages.get('/sign-in', async ({ req, redirect, res }) => {
    const launchId = req.query('launch_id') ?? ''
    const { headers, response } = await auth.api.signInSocial({
      body: {
        provider: CONNECTION,
        loginHint: launchId,
        callbackURL: `${providerUrl}/signed-in?${new URLSearchParams({ launch_id: launchId })}`,
        errorCallbackURL: `${providerUrl}/failed`,
        disableRedirect: true,
      },
      headers: req.raw.headers,
      returnHeaders: true,
    })
    for (const cookie of headers.getSetCookie()) res.headers.append('set-cookie', cookie)
    return redirect(response.url ?? `${providerUrl}/failed`)
  })

  /**
   * Exchange, checks on the ID token and the provider's own session: better-auth. Its other addresses
   * are not served: some hand the platform tokens to whoever is signed in (spec §5.3 rule 3).
   */
  pages.get(`/api/auth/callback/${CONNECTION}`, ({ req }) => auth.handler(req.raw))

  /** The provider's session stays here; the desk gets a ticket that works once, for three minutes. */
  pages.get('/signed-in', async ({ req, redirect }) => {
    const { token } = await auth.api.generateOneTimeToken({ headers: req.raw.headers })
    return redirect(sendToDesk({ ticket: token, launch_id: req.query('launch_id') ?? '' }))
  })

  pages.get('/failed', ({ req, redirect }) => {
    const error = req.query('error') ?? 'sign_in_failed'
    log(`failed: ${error}`)
    return redirect(sendToDesk({ error, description: req.query('error_description') ?? '' }))
  })

  pages.onError((thrown, { redirect }) => {
    const [error, description] = FAILURES[codeOf(thrown)] ?? UNKNOWN_FAILURE
    log(`failed: ${error}`)
    return redirect(sendToDesk({ error, description }))
  })
  return pages
}

/** By the code of better-auth. */
const FAILURES: Readonly<Record<string, readonly [error: string, description: string]>> = {
  // The connection is known unless its discovery failed, which each sign-in tries again.
  PROVIDER_NOT_FOUND: [
    'service_unreachable',
    'The identity provider could not reach the service of Chartside.',
  ],
  UNAUTHORIZED: [
    'provider_session_missing',
    'The browser brought no session of the identity provider.',
  ],
}

const UNKNOWN_FAILURE = [
  'provider_failed',
  'The identity provider met a mistake of its own.',
] as const

const codeOf = (thrown: unknown): string =>
  String((thrown as { readonly body?: { readonly code?: unknown } }).body?.code ?? '')

function createAuth({ clientId, clientSecret, baseUrl, tokenUrl, ...options }: ProviderOptions) {
  return betterAuth({
    baseURL: options.providerUrl,
    secret: options.managementToken,
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: CONNECTION,
            clientId,
            clientSecret,
            discoveryUrl: `${baseUrl}/app-auth/.well-known/openid-configuration`,
            tokenUrl,
            scopes: ['launch', 'openid', 'profile', 'email'],
            requireIdTokenVerification: true,
          },
        ],
      }),
      // Made on the provider's own page and spent by the desk's server, which has no use for a cookie.
      oneTimeToken({
        disableClientRequest: true,
        disableSetSessionCookie: true,
        storeToken: 'hashed',
      }),
    ],
    // Inside the panel the provider is a third party: only such cookies come along (spec §5.3 rule 2).
    advanced: {
      cookiePrefix: 'referral-desk',
      useSecureCookies: true,
      defaultCookieAttributes: { sameSite: 'none', secure: true, partitioned: true },
    },
    // Else a page of its own would say what failed, and nobody how to go on.
    onAPIError: { errorURL: `${options.providerUrl}/failed` },
    logger: { log: (level, message) => level === 'error' && options.log(`failed: ${message}`) },
    telemetry: { enabled: false },
  })
}

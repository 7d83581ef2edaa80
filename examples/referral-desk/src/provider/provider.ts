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
  const { providerUrl, deskUrl, managementToken, log } = options
  const auth = createAuth(options)
  const provider = new Hono()

  /** The launch is carried to authorize as `login_hint` (spec §5.3 rule 1). */
  provider.get('/sign-in', async ({ req, redirect, res }) => {
    const { headers, response } = await auth.api.signInSocial({
      body: {
        provider: CONNECTION,
        loginHint: req.query('launch_id') ?? '',
        callbackURL: `${providerUrl}/signed-in`,
        errorCallbackURL: `${providerUrl}/failed`,
        disableRedirect: true,
      },
      headers: req.raw.headers,
      returnHeaders: true,
    })
    for (const cookie of headers.getSetCookie()) res.headers.append('set-cookie', cookie)
    return redirect(response.url ?? `${providerUrl}/failed`)
  })

  /** Exchange, checks on the ID token and the provider's own session: better-auth. */
  provider.all('/api/auth/*', ({ req }) => auth.handler(req.raw))

  /** The provider's session stays here; the desk gets a ticket that works once, for three minutes. */
  provider.get('/signed-in', async ({ req, redirect }) => {
    const { token } = await auth.api.generateOneTimeToken({ headers: req.raw.headers })
    return redirect(`${deskUrl}/callback?ticket=${encodeURIComponent(token)}`)
  })

  provider.get('/failed', ({ req, redirect }) => {
    const error = req.query('error') ?? 'sign_in_failed'
    const description = req.query('error_description') ?? ''
    log(`failed: ${error}`)
    return redirect(`${deskUrl}/callback?${new URLSearchParams({ error, description })}`)
  })

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
    logger: { log: (level, message) => level === 'error' && options.log(`failed: ${message}`) },
    telemetry: { enabled: false },
  })
}

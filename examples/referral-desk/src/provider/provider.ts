// The identity provider of development, as a hosted one would be: better-auth with a generic OAuth
// connection to Chartside, which makes the exchange and keeps the platform tokens on the user's
// identity. Owns the routes of its origin. The app uses it by HTTP only.
import type { Handler } from '@chartside/app-kit/server'
import { type AuthOptions, createAuth } from './auth.ts'
import { createManagementApi, refuse } from './management-api.ts'

/** Serves the provider's origin. Redirects a signed-in browser to the app only. */
export function createProvider(options: AuthOptions): Handler {
  const { providerUrl, publicUrl, managementToken } = options.settings
  const auth = createAuth(options)
  const showUser = createManagementApi(auth, managementToken)

  /** Sends the launch to authorize as `login_hint`. */
  const signIn = async ({ headers }: Request, launchId: string): Promise<Response> => {
    const begun = await auth.api.signInSocial({
      body: {
        provider: 'chartside',
        loginHint: launchId,
        callbackURL: `${providerUrl}/signed-in?${new URLSearchParams({ launch_id: launchId })}`,
        errorCallbackURL: `${providerUrl}/failed`,
        disableRedirect: true,
      },
      headers,
      returnHeaders: true,
    })
    return redirect(begun.response.url ?? `${providerUrl}/failed`, begun.headers.getSetCookie())
  }

  /**
   * The app gets a ticket for three minutes. The browser keeps no cookie: a launch is the sign-in,
   * and a foreign one must not leave this browser signed in as its owner.
   */
  const sendTicket = async ({ headers }: Request, launchId: string): Promise<Response> => {
    const { token } = await auth.api.generateOneTimeToken({ headers })
    const query = new URLSearchParams({ ticket: token, launch_id: launchId })
    return redirect(`${publicUrl}/callback?${query}`, clearCookies(headers))
  }

  const redirectWithError = (error: string, description: string): Response => {
    options.log(`failed: ${error}`)
    return redirect(`${publicUrl}/callback?${new URLSearchParams({ error, description })}`)
  }

  const respond = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const query = (name: string): string => searchParams.get(name) ?? ''
    if (pathname === '/sign-in') return signIn(request, query('launch_id'))
    if (pathname === '/signed-in') return sendTicket(request, query('launch_id'))
    if (pathname === '/failed') {
      return redirectWithError(query('error') || 'sign_in_failed', query('error_description'))
    }
    if (BETTER_AUTH.includes(`${request.method} ${pathname}`)) return auth.handler(request)
    const [, userId] = /^\/api\/v2\/users\/([^/]+)$/.exec(pathname) ?? []
    return userId ? showUser(request, decodeURIComponent(userId)) : refuse(404)
  }
  // After a failure the app's page shows the cause.
  return (request: Request): Promise<Response> =>
    respond(request).catch((thrown: unknown) =>
      redirectWithError(...(FAILURES[codeOf(thrown)] ?? UNKNOWN_FAILURE)),
    )
}

/**
 * The callback with its exchange, and the redemption of a ticket. The other routes of better-auth
 * are not served: some return the platform tokens to a signed-in browser.
 */
const BETTER_AUTH: readonly string[] = [
  'GET /api/auth/callback/chartside',
  'POST /api/auth/one-time-token/verify',
]

/** The errors by the error code of better-auth. */
const FAILURES: Readonly<Record<string, readonly [error: string, description: string]>> = {
  // The discovery of the connection failed; the next sign-in tries again.
  PROVIDER_NOT_FOUND: [
    'service_unreachable',
    'The identity provider could not reach the service of Chartside.',
  ],
  UNAUTHORIZED: [
    'provider_session_missing',
    'The browser sent no session cookie of the identity provider.',
  ],
}

const UNKNOWN_FAILURE = [
  'provider_failed',
  'The identity provider failed with an internal error.',
] as const

const codeOf = (thrown: unknown): string =>
  String((thrown as { readonly body?: { readonly code?: unknown } }).body?.code ?? '')

/** The attributes of auth.ts, without which a browser would not find the cookie. */
const clearCookies = (headers: Headers): string[] =>
  (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter(Boolean)
    .map((pair) => `${pair.split('=')[0]}=; ${CLEARED}`)

const CLEARED = 'Path=/; Max-Age=0; Secure; HttpOnly; SameSite=None; Partitioned'

function redirect(location: string, cookies: readonly string[] = []): Response {
  // These addresses contain a ticket or a code.
  const headers = new Headers({
    location,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

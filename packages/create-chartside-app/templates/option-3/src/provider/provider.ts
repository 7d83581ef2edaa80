// The identity provider of development, as a hosted one would be: better-auth with a generic OAuth
// connection to Chartside, which makes the exchange and keeps the platform tokens on the user's
// identity; and a management API in Auth0's form. The app reaches it by HTTP only. Spec §5.3.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../settings.ts'
import { type AuthOptions, createAuth } from './auth.ts'

interface ProviderOptions extends AuthOptions {
  readonly settings: Settings
}

/** Serves the provider's origin. Whoever signed in is sent to the app and nowhere else. */
export function createProvider(options: ProviderOptions) {
  const { providerUrl, publicUrl, managementToken } = options.settings
  const auth = createAuth(options)

  /** The launch is carried to authorize as `login_hint` (spec §5.3 rule 1). */
  const signIn = async ({ headers }: Request, launchId: string): Promise<Response> => {
    const answer = await auth.api.signInSocial({
      body: {
        provider: 'chartside',
        loginHint: launchId,
        callbackURL: `${providerUrl}/signed-in`,
        errorCallbackURL: `${providerUrl}/failed`,
        disableRedirect: true,
      },
      headers,
      returnHeaders: true,
    })
    return redirect(answer.response.url ?? `${providerUrl}/failed`, answer.headers.getSetCookie())
  }

  /** The provider's session stays here; the app gets a ticket that works once, for three minutes. */
  const sendTicket = async ({ headers }: Request): Promise<Response> => {
    const { token } = await auth.api.generateOneTimeToken({ headers })
    return redirect(`${publicUrl}/callback?ticket=${encodeURIComponent(token)}`)
  }

  const tellFailure = (query: URLSearchParams): Response => {
    const error = query.get('error') ?? 'sign_in_failed'
    const description = query.get('error_description') ?? ''
    options.log(`failed: ${error}`)
    return redirect(`${publicUrl}/callback?${new URLSearchParams({ error, description })}`)
  }

  /** Auth0's form: identities[].access_token, for the management token only. */
  const showUser = async ({ headers }: Request, id: string): Promise<Response> => {
    if (!isSame(headers.get('authorization') ?? '', `Bearer ${managementToken}`)) return refuse(401)
    const { internalAdapter } = await auth.$context
    const user = await internalAdapter.findUserById(id)
    if (!user) return refuse(404)
    const accounts = await internalAdapter.findAccounts(user.id)
    const identities = accounts.map(({ providerId, accountId, accessToken }) => ({
      connection: providerId,
      user_id: accountId,
      access_token: accessToken,
    }))
    return Response.json({ user_id: user.id, identities })
  }

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/sign-in') return signIn(request, searchParams.get('launch_id') ?? '')
    if (pathname === '/signed-in') return sendTicket(request)
    if (pathname === '/failed') return tellFailure(searchParams)
    // Exchange, checks on the ID token and the provider's own session.
    if (pathname.startsWith('/api/auth/')) return auth.handler(request)
    const [, userId] = /^\/api\/v2\/users\/([^/]+)$/.exec(pathname) ?? []
    return userId ? showUser(request, decodeURIComponent(userId)) : refuse(404)
  }
  // Such as a service that is away, or a browser that kept no cookie: the page says so.
  return (request: Request): Promise<Response> =>
    answer(request).catch(() => tellFailure(new URLSearchParams()))
}

const refuse = (status: 401 | 404): Response =>
  Response.json({ error: status === 401 ? 'unauthorized' : 'not_found' }, { status })

function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

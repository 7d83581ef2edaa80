// The app itself: its page, and a server that knows its people by the provider's ticket and reads the
// platform tokens from the provider's management API, each time anew. The browser never talks to that
// API. Owns routing and headers. Spec §5.3 rules 3 and 4, §5.5, §5.6.
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createPlatformTokenReader,
  createSessions,
  readJson,
} from '@chartside/app-kit/server'
import { createAssets } from '@chartside/example-app-shell/assets'
import { ExpiringMap } from '@chartside/example-app-shell/expiring-map'
import { requireText } from '@chartside/example-app-shell/fields'
import { explain, Problem } from '@chartside/example-app-shell/problem'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { buildPage, START_PAGE, TITLE } from './pages.ts'
import { readTokens, redeemTicket, whoIs } from './people.ts'
import { REFERRALS } from './referrals.ts'

const assets = createAssets({
  '/referral-desk.js': new URL('../browser/referral-desk.ts', import.meta.url),
  '/referral-desk.css': new URL('../../public/referral-desk.css', import.meta.url),
})

const SESSION_SECONDS = 28_800

export interface DeskOptions {
  readonly baseUrl: string
  readonly publicUrl: string
  /** The provider's origin in the browser. */
  readonly providerUrl: string
  /** The provider's address for this server. */
  readonly providerApi: string
  readonly managementToken: string
  readonly frameAncestors: readonly string[]
  readonly log: (line: string) => void
}

export function createDesk(options: DeskOptions): Hono {
  const { baseUrl, publicUrl, providerUrl, providerApi, frameAncestors, log } = options
  const sessions = createSessions({
    cookieName: 'referral-desk',
    allowedOrigins: [publicUrl],
    lifetimes: { totalSeconds: SESSION_SECONDS },
  })
  const platformTokens = createPlatformTokenReader({
    managementUrl: providerApi,
    managementToken: options.managementToken,
    connection: 'chartside',
  })
  /** The provider's user of each launch that has a session here, as long as sessions last at the most. */
  const providerUsers = new ExpiringMap<string>({ lifetimeMs: SESSION_SECONDS * 1000 })
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )

  const authenticated = async (request: Request) => {
    const identity = await sessions.authenticate(request)
    if (identity) return identity
    throw sessionEnded()
  }

  /**
   * The provider keeps one pair of tokens per person, those of the last sign-in: whose launch they are
   * is asked at each reading, so that no page gets those of another launch.
   */
  const readTokensOf = async (launchId: unknown, userId: string) => {
    const tokens = await readTokens(platformTokens, userId)
    const identity = await whoIs(baseUrl, tokens.accessToken)
    if (launchId && identity.launchId === launchId) return { tokens, identity }
    throw new Problem(409, {
      error: 'launch_mismatch',
      cause: 'The provider holds the token of another launch.',
      fix: 'Another tab has signed in since. Launch the app again.',
    })
  }

  const desk = new Hono()
  desk.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  })
  const page = buildPage({ baseUrl, providerUrl })
  desk.get('/', ({ html }) => html(START_PAGE))
  desk.get('/launch', ({ html }) => html(page))
  desk.get('/callback', ({ html }) => html(page))
  for (const path of assets.paths) {
    desk.get(path, async (context) => {
      const { type, body } = await assets.load(path)
      return context.body(body, 200, { 'content-type': type })
    })
  }

  /** A ticket says who signed in at the provider; the platform token says for which launch. */
  desk.post('/api/session', async ({ req }) => {
    const body = await readJson(req.raw)
    const userId = await redeemTicket(providerApi, requireText(body, 'ticket'))
    const { identity } = await readTokensOf(body?.launch_id, userId)
    providerUsers.set(identity.launchId, userId)
    log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
    const session = await sessions.start(identity)
    return session.respond()
  })
  desk.post('/api/session/renew', ({ req }) => sessions.renew(req.raw))
  desk.delete('/api/session', async ({ req }) => {
    const identity = await sessions.authenticate(req.raw)
    const answer = await sessions.end(req.raw)
    if (identity && answer.ok) providerUsers.delete(identity.launchId)
    return answer
  })

  desk.get('/api/me', async ({ req, json }) => {
    const { name, userId, account } = await authenticated(req.raw)
    return json({ name: name ?? userId, practice: account.name, referrals: REFERRALS })
  })

  /** For `initServiceSDK`; the ID token only for the page that asks for it (spec §5.3 rule 4). */
  desk.get('/api/platform-tokens', async ({ req, json }) => {
    const { launchId } = await authenticated(req.raw)
    const userId = providerUsers.get(launchId)
    if (!userId) throw sessionEnded()
    const { tokens } = await readTokensOf(launchId, userId)
    const { accessToken, idToken } = tokens
    return json(req.query('with') === 'id_token' ? { accessToken, idToken } : { accessToken })
  })

  desk.onError((error, { json }) => {
    const { status, problem } = explain(error, TITLE)
    log(`failed: ${problem.error}`)
    return json(problem, status as ContentfulStatusCode)
  })
  return desk
}

const sessionEnded = (): Problem =>
  new Problem(401, {
    error: 'session_ended',
    cause: 'This session has ended.',
    fix: 'Launch the app again.',
  })

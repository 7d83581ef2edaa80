// The app's HTTP surface: the launch that goes to authorize, the callback page with the served SDK,
// and the API behind it. Owns routing, headers and its own sessions; OAuth is in oauth.ts.
// Spec §2.2, §4.1, §5.1, §5.5, §5.6.
import { hash, randomBytes } from 'node:crypto'
import { createAssets } from '@chartside/example-app-shell/assets'
import { ExpiringMap } from '@chartside/example-app-shell/expiring-map'
import { requireText } from '@chartside/example-app-shell/fields'
import type { AppSettings } from '@chartside/example-app-shell/process'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { checkCallback, writePending } from './callback.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { SAMPLE_CHILD } from './growth-data.ts'
import { createOAuth, type Person } from './oauth.ts'
import { buildCallbackPage, START_PAGE } from './pages.ts'
import { explain } from './problem.ts'

const SESSION_SECONDS = 3600

const assets = createAssets({
  '/take-query.js': new URL('./browser/take-query.ts', import.meta.url),
  '/growth-chart.js': new URL('./browser/growth-chart.ts', import.meta.url),
  '/growth-chart.css': new URL('../public/growth-chart.css', import.meta.url),
})

export function createApp(settings: AppSettings): Express {
  const oauth = createOAuth(settings)
  /** The app's own sessions, by the hash of their cookie. */
  const sessions = new ExpiringMap<Person>({ lifetimeMs: SESSION_SECONDS * 1000 })
  const app = express()
  app.disable('x-powered-by')
  // Before everything that can fail, so that errors carry them too.
  app.use((_request, response, next) => {
    response.set({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'self' ${new URL(settings.baseUrl).origin}`,
        "style-src 'self'",
        "connect-src 'self'",
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        `frame-ancestors ${settings.frameAncestors.join(' ') || "'none'"}`,
      ].join('; '),
    })
    next()
  })
  app.use(express.json({ limit: '16kb' }))

  app.get('/', (_request, response) => void response.send(START_PAGE))
  app.get([...assets.paths], async (request, response) => {
    const { type, body } = await assets.load(request.path)
    response.type(type).send(body)
  })

  app.get('/launch', async (request, response) => {
    const launchId = String(request.query.launch_id ?? '')
    if (launchId === '') return void response.status(400).send(START_PAGE)
    const { url, pending } = await oauth.begin(launchId, `${settings.publicUrl}/callback`)
    setCookie(response, 'launch', launchId, writePending(pending), 300)
    response.redirect(url)
  })

  app.get('/callback', async (_request, response) => {
    response.send(buildCallbackPage(await oauth.sdkScript()))
  })

  // The page hands over the query of its callback: the server keeps what belongs to it.
  app.post('/session', async (request, response) => {
    const query = new URLSearchParams(requireText(request.body, 'query'))
    const readPending = (launchId: string) => readCookie(request, 'launch', launchId)
    const { launchId, pending } = checkCallback(query, readPending)
    // A code works once, and so does what it is checked with.
    clearCookie(response, 'launch', launchId)
    const callbackUrl = new URL(`${settings.publicUrl}/callback?${query}`)
    const { tokens, person } = await oauth.finish(launchId, pending, callbackUrl)
    const session = randomBytes(32).toString('base64url')
    sessions.set(hash('sha256', session), person)
    setCookie(response, 'session', launchId, session, SESSION_SECONDS)
    settings.log(`signed in ${person.name} of ${person.practice}`)
    response.json({ ...tokens, launch: launchId })
  })

  // Other pages cannot send this header here, so the cookie that comes along is no danger.
  const launchOf = (request: Request): string => request.get('x-launch') ?? ''

  app.get('/api/growth', (request, response) => {
    const cookie = readCookie(request, 'session', launchOf(request))
    const person = sessions.get(hash('sha256', cookie))
    if (!person) return void response.status(401).json(ENDED)
    response.json({ person, child: SAMPLE_CHILD })
  })

  app.delete('/session', (request, response) => {
    const launchId = launchOf(request)
    sessions.delete(hash('sha256', readCookie(request, 'session', launchId)))
    clearCookie(response, 'session', launchId)
    response.json({ ended: true })
  })

  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { status, problem } = explain(error)
    settings.log(
      `failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`,
    )
    if (status === 500) settings.log(error instanceof Error ? String(error.stack) : String(error))
    response.status(status).json(problem)
  })
  return app
}

const ENDED = {
  error: 'session_ended',
  cause: 'This session has ended.',
  fix: 'Launch the app again from the panel.',
}

// The app's HTTP surface: the launch that goes to authorize, the callback page with the served SDK,
// and the API behind it. Owns routing and its own sessions; OAuth is in oauth.ts.
// Spec §2.2, §4.1, §5.1, §5.5, §5.6.
import { hash, randomBytes } from 'node:crypto'
import { createAssets } from '@chartside/app-kit/node'
import {
  type AppSettings,
  buildLaunchPage,
  buildStartPage,
  Problem,
  requireText,
} from '@chartside/app-kit/server'
import express, { type ErrorRequestHandler, type Express, type Request, Router } from 'express'
import manifest from '../chartside.app.json' with { type: 'json' }
import { checkCallback, writePending } from './callback.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { ExpiringMap } from './expiring-map.ts'
import { REFERENCE } from './growth-data.ts'
import { setSecurityHeaders } from './headers.ts'
import { createOAuth, type OAuth, type Person } from './oauth.ts'
import { explain } from './oauth-problem.ts'

const SESSION_SECONDS = 3600
/** The seconds from the exchange to the SDK that is ready. */
const TICKET_SECONDS = 60

interface Exchanged {
  readonly launchId: string
  readonly person: Person
}

const { name } = manifest
const startPage = buildStartPage({ name })
const assets = createAssets(import.meta.url, {
  sources: {
    '/take-query.js': './browser/take-query.ts',
    '/app.js': './browser/main.ts',
    '/app.css': '../public/app.css',
  },
})

type Log = (line: string) => void

/** `log` gets one readable line without codes, tokens and secrets. */
export function createApp(settings: AppSettings, log: Log): Express {
  const oauth = createOAuth(settings)
  const app = express()
  app.disable('x-powered-by')
  // Before everything that can fail, so that errors have them too.
  app.use(setSecurityHeaders(settings))
  app.use(express.json({ limit: '16kb' }))
  app.use(routePages(oauth, settings))
  app.use(routeSession(oauth, settings, log))
  app.use(respondWithError(log))
  return app
}

function routePages(oauth: OAuth, { publicUrl }: AppSettings): Router {
  const router = Router()
  router.get('/', (_request, response) => void response.send(startPage))
  router.get(['/take-query.js', '/app.js', '/app.css'], async (request, response) => {
    const { type, text } = await assets.load(request.path)
    response.type(type).send(text)
  })

  router.get('/launch', async (request, response) => {
    const launchId = String(request.query.launch_id ?? '')
    if (launchId === '') return void response.status(400).send(startPage)
    const { url, pending } = await oauth.begin(launchId, `${publicUrl}/callback`)
    setCookie(response, 'launch', launchId, writePending(pending), 300)
    response.redirect(url)
  })

  /** take-query.js comes first: it removes the code from the address before anything is fetched. */
  router.get('/callback', async (_request, response) => {
    const { url, integrity } = await oauth.sdkScript()
    const scripts = [{ src: '/take-query.js' }, { src: url, integrity }, { src: '/app.js' }]
    response.send(buildLaunchPage({ name, settings: {}, scripts }))
  })
  return router
}

function routeSession(oauth: OAuth, { publicUrl }: AppSettings, log: Log): Router {
  const router = Router()
  /** The app's own sessions, by the hash of their cookie. */
  const sessions = new ExpiringMap<Person>({ lifetimeMs: SESSION_SECONDS * 1000 })
  // Pages of other origins cannot send this header, which makes the cookie safe against CSRF.
  const launchOf = (request: Request): string => request.get('x-launch') ?? ''
  /** The identities between the exchange and the session, by the hash of a ticket in the memory of the page. */
  const exchanged = new ExpiringMap<Exchanged>({ lifetimeMs: TICKET_SECONDS * 1000 })

  // The page sends the query of its callback; state, nonce and verifier are in the cookie, so only
  // the browser that began the launch gets the tokens and the ticket.
  router.post('/exchange', async (request, response) => {
    const query = new URLSearchParams(requireText(request.body, 'query'))
    const readPending = (launchId: string) => readCookie(request, 'launch', launchId)
    const { launchId, pending } = checkCallback(query, readPending)
    // A code works once, and so does its cookie.
    clearCookie(response, 'launch', launchId)
    const callbackUrl = new URL(`${publicUrl}/callback?${query}`)
    const { tokens, person } = await oauth.finish(launchId, pending, callbackUrl)
    const ticket = randomBytes(32).toString('base64url')
    exchanged.set(hash('sha256', ticket), { launchId, person })
    response.json({ ...tokens, ticket })
  })

  // Once the SDK is ready: a launch outside its own panel leaves no session (spec §5.6). Another site
  // cannot send JSON here, because this server answers no preflight (Fetch standard 3.2).
  router.post('/session', (request, response) => {
    const ticket = hash('sha256', requireText(request.body, 'ticket'))
    const found = exchanged.get(ticket)
    exchanged.delete(ticket)
    if (!found) throw notExchanged()
    const { launchId, person } = found
    const session = randomBytes(32).toString('base64url')
    sessions.set(hash('sha256', session), person)
    setCookie(response, 'session', launchId, session, SESSION_SECONDS)
    log(`signed in ${person.name} of ${person.practice}`)
    response.json({ launch: launchId })
  })

  router.get('/api/growth', (request, response) => {
    const cookie = readCookie(request, 'session', launchOf(request))
    const person = sessions.get(hash('sha256', cookie))
    if (!person) throw sessionEnded()
    response.json({ person, reference: REFERENCE })
  })

  router.delete('/session', (request, response) => {
    const launchId = launchOf(request)
    sessions.delete(hash('sha256', readCookie(request, 'session', launchId)))
    clearCookie(response, 'session', launchId)
    response.json({ ended: true })
  })
  return router
}

function respondWithError(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status, problem } = explain(error)
    log(`failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`)
    if (status === 500) log(error instanceof Error ? String(error.stack) : String(error))
    response.status(status).json(problem)
  }
}

const sessionEnded = (): Problem =>
  new Problem(401, {
    error: 'session_ended',
    cause: 'This session has ended.',
    fix: 'Launch the app again from the panel.',
  })

const notExchanged = (): Problem =>
  new Problem(401, {
    error: 'launch_not_pending',
    cause: 'No exchange of this page waits for its session: it waits a minute, once.',
    fix: 'Launch the app again from the panel.',
  })

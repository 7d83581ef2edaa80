// The app's HTTP surface on Express: the page, its files, and the API behind it, whose handlers take
// a web-standard Request and are called through toExpress. Owns routing and headers.
// Spec §5.1 (option 1), §5.5 (framing and script policy).
import { toExpress } from '@chartside/app-kit/express'
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  createSessions,
} from '@chartside/app-kit/server'
import { createAssets } from '@chartside/example-app-shell/assets'
import type { AppSettings } from '@chartside/example-app-shell/process'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { createApi } from './api.ts'
import { buildVisitPage, START_PAGE } from './pages.ts'
import { explain } from './problem.ts'

const assets = createAssets({
  '/visit-notes.js': new URL('./browser/visit-notes.tsx', import.meta.url),
  '/visit-notes.css': new URL('../public/visit-notes.css', import.meta.url),
})

export function createApp(settings: AppSettings): Express {
  const { baseUrl, clientId, clientSecret, tokenUrl, publicUrl, frameAncestors, log } = settings
  const redirectUri = `${publicUrl}/callback`
  const kit = createAppKit({ baseUrl, clientId, clientSecret, tokenUrl })
  const sessions = createSessions({ cookieName: 'visit-notes', allowedOrigins: [publicUrl] })
  const api = createApi({ kit, sessions, redirectUri, log })
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )

  const app = express()
  app.disable('x-powered-by')
  app.use((_request, response, next) => {
    response.set(headers)
    next()
  })
  const page = buildVisitPage({ clientId, baseUrl, redirectUri })
  app.get('/', (_request, response) => void response.send(START_PAGE))
  app.get(['/launch', '/callback'], (_request, response) => void response.send(page))
  app.get([...assets.paths], async (request, response) => {
    const { type, body } = await assets.load(request.path)
    response.type(type).send(body)
  })
  app.post('/api/session', toExpress(api.startSession))
  app.post('/api/session/renew', toExpress(sessions.renew))
  app.delete('/api/session', toExpress(sessions.end))
  app.get('/api/me', toExpress(api.showMe))
  app.get('/api/notes', toExpress(api.listNotes))
  app.post('/api/notes', toExpress(api.addNote))

  app.use((_request: Request, response: Response) => {
    const fix = 'Open the app from the panel beside the chart.'
    response.status(404).json({ error: 'not_found', cause: 'There is nothing here.', fix })
  })
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { status, problem } = explain(error)
    log(`failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`)
    if (status === 500) log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    response.status(status).json(problem)
  })
  return app
}

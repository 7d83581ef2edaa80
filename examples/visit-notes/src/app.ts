// Visit Notes on Express. Option 1: this server exchanges the code, and starts its own session once the SDK
// of the page is ready. The practice of a note is the account of the verified launch, never a value that
// the page sends. Spec §2.5, §5.1, §5.4, §5.6.
import { createServer, type Server } from 'node:http'
import { chartside, explainErrors, requireIdentity } from '@chartside/app-kit/express'
import { createAssets, listen } from '@chartside/app-kit/node'
import { type AppSettings, type Log, requireText, routeExchange } from '@chartside/app-kit/server'
import express from 'express'
import manifest from '../chartside.app.json' with { type: 'json' }
import { NoteBook } from './notes.ts'

const assets = createAssets(import.meta.url)

/** Starts the app. Port 0 stands for any free port. */
export function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = express()
  app.disable('x-powered-by')
  const launch = routeExchange
  app.use(chartside({ name: manifest.name, slug: 'visit-notes', settings, launch, assets, log }))
  const notes = new NoteBook()

  app.get('/api/me', requireIdentity, (_request, response) => {
    const { userId, name, account, ehrType } = response.locals.identity
    response.json({ userId, name, account, ehrType })
  })

  app.get('/api/notes', requireIdentity, (_request, response) => {
    response.json({ items: notes.list(response.locals.identity.account.id) })
  })

  app.post('/api/notes', requireIdentity, express.json({ limit: '32kb' }), (request, response) => {
    const text = requireText(request.body, 'text')
    response.status(201).json(notes.add(response.locals.identity, text.trim()))
  })

  explainErrors(app)
  return listen(createServer(app), settings)
}

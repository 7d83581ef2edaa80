// The app's server, on Express. `chartside` answers the launch and the session; the routes below it are
// yours. The user of a route is that of the verified launch: take no user and no practice from a page.
import { createServer, type Server } from 'node:http'
import { chartside, explainErrors, requireIdentity } from '@chartside/app-kit/express'
import { createAssets, listen } from '@chartside/app-kit/node'
import { type AppSettings, type Log, routeExchange } from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import express from 'express'
import manifest from '../chartside.app.json' with { type: 'json' }
import { addPresence, buildStatusPage, type Presence } from './status-page.ts'

const assets = createAssets(import.meta.url)

/** Starts the app. Port 0 stands for any free port. */
export function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = express()
  app.disable('x-powered-by')
  app.use(
    chartside({
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log, hasStartPage: false },
      launch: routeExchange,
      ...openFileStores(settings.sessionsFile),
    }),
  )
  let presences: readonly Presence[] = []

  app.get('/', (_request, response) => {
    response.send(buildStatusPage(presences))
  })

  app.post('/api/presence', requireIdentity, (_request, response) => {
    presences = addPresence(presences, response.locals.identity)
    response.json({ recorded: true })
  })

  explainErrors(app)
  return listen(createServer(app), settings)
}

// The app's server, on Hono. `chartside` answers the launch and the session; the routes below it are yours.
// The user of a route is that of the verified launch: take no user and no practice from a page.
import { createServer, type Server } from 'node:http'
import {
  type ChartsideEnv,
  chartside,
  explainErrors,
  requireIdentity,
} from '@chartside/app-kit/hono'
import { createAssets, listen } from '@chartside/app-kit/node'
import { type AppSettings, type Log, routeExchange } from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import manifest from '../chartside.app.json' with { type: 'json' }
import { addPresence, buildStatusPage, type Presence } from './status-page.ts'

const assets = createAssets(import.meta.url)

/** Starts the app. Port 0 stands for any free port. */
export function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = new Hono<ChartsideEnv>()
  app.use(
    chartside({
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log, hasStartPage: false },
      launch: routeExchange,
      ...openFileStores(settings.sessionsFile),
    }),
  )
  explainErrors(app)
  let presences: readonly Presence[] = []

  app.get('/', (context) => context.html(buildStatusPage(presences)))

  app.post('/api/presence', requireIdentity, (context) => {
    presences = addPresence(presences, context.get('identity'))
    return context.json({ recorded: true })
  })

  return listen(createServer(getRequestListener(app.fetch)), settings)
}

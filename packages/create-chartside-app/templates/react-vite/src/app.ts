// The app's server, on Hono. `chartside` answers the pages, the launch and the session; the routes below it
// are yours. The user of a route is that of the verified launch: take no user and no practice from a page.
// Vite makes the scripts of the page.
import { createServer, type Server } from 'node:http'
import {
  type ChartsideEnv,
  chartside,
  explainErrors,
  requireIdentity,
} from '@chartside/app-kit/hono'
import { bundleWithVite, createAssets, listen } from '@chartside/app-kit/node'
import { type AppSettings, type Log, routeExchange } from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import manifest from '../chartside.app.json' with { type: 'json' }
import type { Me } from './browser/open.ts'

const assets = createAssets(import.meta.url, {
  sources: {
    '/launch.js': './browser/launch-page.ts',
    '/app.js': './browser/main.tsx',
    '/app.css': '../public/app.css',
  },
  bundle: bundleWithVite(new URL('..', import.meta.url)),
})

/** Starts the app. Port 0 stands for any free port. */
export function startApp(settings: AppSettings, log: Log): Promise<Server> {
  const app = new Hono<ChartsideEnv>()
  app.use(
    chartside({
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log },
      launch: routeExchange,
      ...openFileStores(settings.sessionsFile),
    }),
  )
  explainErrors(app)

  app.get('/api/me', requireIdentity, (context) => {
    const { name, userId, account, ehrType } = context.get('identity')
    return context.json({ name: name ?? userId, practice: account.name, ehrType } satisfies Me)
  })

  return listen(createServer(getRequestListener(app.fetch)), settings)
}

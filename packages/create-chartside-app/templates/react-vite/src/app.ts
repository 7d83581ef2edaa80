// The app's server, on plain node:http. The kit answers the pages, the launch and the session; the routes in
// `api` are yours. The user of a route is that of the verified launch: take no user and no practice from a
// page. Vite makes the scripts of the page.
import type { Server } from 'node:http'
import { bundleWithVite, createAssets, serveNode } from '@chartside/app-kit/node'
import {
  type AppSettings,
  createWebApp,
  type Log,
  requireIdentity,
  routeExchange,
} from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
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

/** On port 0 it is any free port. */
export const startApp = (settings: AppSettings, log: Log): Promise<Server> =>
  serveNode(
    createWebApp({
      ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log },
      launch: routeExchange,
      api: (sessions) => ({
        'GET /api/me': async (request) => {
          const { name, userId, account, ehrType } = await requireIdentity(sessions, request)
          return Response.json({
            ...{ name: name ?? userId, practice: account.name, ehrType },
          } satisfies Me)
        },
      }),
      ...openFileStores(settings.sessionsFile),
    }),
    settings,
  )

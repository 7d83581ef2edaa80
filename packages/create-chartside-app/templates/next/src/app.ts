// The app's part of the server as one function from Request to Response: the launch, the session, and the
// app's own API. The route handlers in app/ call it. The user of a route is that of the verified launch:
// take no user and no practice from a page.
import {
  type AppSettings,
  createWebApp,
  type Handler,
  type Log,
  requireIdentity,
  routeExchange,
} from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import manifest from '../chartside.app.json' with { type: 'json' }

/** What the page shows of the user. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

/** `log` gets one readable line without codes, tokens and secrets. */
export const createApp = (settings: AppSettings, log: Log): Handler =>
  createWebApp({
    ...{ name: manifest.name, slug: '{{slug}}', settings, log },
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
  })

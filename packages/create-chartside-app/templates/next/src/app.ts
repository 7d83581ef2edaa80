// The app's part of the server as one function from Request to Response: the launch of its option
// (launch.ts), the kit's session, and the app's own API (api.ts). The route handlers in app/ call it.
// Spec §5.5, §5.6.
import { createWebApp, type Handler, type Log } from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import manifest from '../chartside.app.json' with { type: 'json' }
import { createApi } from './api.ts'
import { routeLaunch, type Settings } from './launch.ts'

/** `log` gets one readable line without codes, tokens and secrets. */
export const createApp = (settings: Settings, log: Log): Handler =>
  createWebApp({
    ...{ name: manifest.name, slug: '{{slug}}', settings, log },
    ...{ launch: routeLaunch, api: createApi },
    ...openFileStores(settings.sessionsFile),
  })

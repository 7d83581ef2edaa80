// The app's part of the server: how a launch becomes a session. The route handlers in app/ use it: app/api/me
// shows how to write one. The user of a route is that of the verified launch: take no user and no practice
// from a page.
import { createChartside } from '@chartside/app-kit/next'
import {
  type AppSettings,
  type ChartsideOptions,
  type Log,
  routeExchange,
} from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import manifest from '../chartside.app.json' with { type: 'json' }
import { loadSettings } from './environment.ts'

/** `log` gets one readable line without codes, tokens and secrets. */
export const buildOptions = (
  settings: AppSettings,
  log: Log,
): Omit<ChartsideOptions<AppSettings>, 'slug'> => ({
  ...{ name: manifest.name, settings, log },
  launch: routeExchange,
  ...openFileStores(settings.sessionsFile),
})

export const chartside = createChartside('{{slug}}', () =>
  buildOptions(loadSettings(), (line) => console.log(line)),
)

// The app as one function from Request to Response: the kit's pages and session, the launch of its
// option (launch.ts), and the app's own API (api.ts). Vite makes its scripts. Spec §5.5, §5.6.
import { bundleWithVite, createAssets } from '@chartside/app-kit/node'
import { createWebApp, type Handler, type Log } from '@chartside/app-kit/server'
import { openFileStores } from '@chartside/app-kit/sqlite'
import manifest from '../chartside.app.json' with { type: 'json' }
import { createApi } from './api.ts'
import { routeLaunch, type Settings } from './launch.ts'

const assets = createAssets(import.meta.url, {
  sources: {
    '/launch.js': './browser/launch-page.ts',
    '/app.js': './browser/main.tsx',
    '/app.css': '../public/app.css',
  },
  bundle: bundleWithVite(new URL('..', import.meta.url)),
})

/** `log` gets one readable line without codes, tokens and secrets. */
export const createApp = (settings: Settings, log: Log): Handler =>
  createWebApp({
    ...{ name: manifest.name, slug: '{{slug}}', settings, assets, log },
    ...{ launch: routeLaunch, api: createApi },
    ...openFileStores(settings.sessionsFile),
  })

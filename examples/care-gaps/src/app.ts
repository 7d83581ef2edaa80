// Care Gaps as one function from Request to Response. Option 2: the registered token endpoint exchanges
// the code for the SDK; the page then presents the ID token. Spec §4.3, §5.2, §5.5, §5.6.
import { createAssets } from '@chartside/app-kit/node'
import {
  type AppSettings,
  createWebApp,
  type Log,
  routeTokenEndpoint,
} from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }
import { createApi } from './api.ts'

const assets = createAssets(import.meta.url)

export const createApp = (settings: AppSettings, log: Log) =>
  createWebApp({
    ...{ name: manifest.name, slug: 'care-gaps', settings, assets, log },
    launch: routeTokenEndpoint,
    api: createApi,
  })

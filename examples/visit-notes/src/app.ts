// Visit Notes as one function from Request to Response. Option 1: this server exchanges the code, and
// starts its own session once the SDK of the page is ready. Spec §5.1, §5.5, §5.6.
import { createAssets } from '@chartside/app-kit/node'
import { type AppSettings, createWebApp, type Log, routeExchange } from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }
import { createApi } from './api.ts'

const assets = createAssets(import.meta.url)

export const createApp = (settings: AppSettings, log: Log) =>
  createWebApp({
    ...{ name: manifest.name, slug: 'visit-notes', settings, assets, log },
    launch: routeExchange,
    api: createApi,
  })

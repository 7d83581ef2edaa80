// Referral Desk as one function from Request to Response. Option 3: the identity provider exchanges the
// code; this server takes its ticket and reads the platform token there. Spec §5.3, §5.5, §5.6.
import { createAssets } from '@chartside/app-kit/node'
import {
  createWebApp,
  type Log,
  type ProviderAppSettings,
  routeProvider,
} from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }
import { createApi } from './api.ts'
import { redeemTicket } from './provider/redeem-ticket.ts'

const assets = createAssets(import.meta.url)

export const createApp = (settings: ProviderAppSettings, log: Log) =>
  createWebApp({
    ...{ name: manifest.name, slug: 'referral-desk', settings, assets, log },
    launch: (parts) => routeProvider(parts, redeemTicket),
    api: createApi,
  })

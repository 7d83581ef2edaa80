// How a launch becomes a session, option 3: the provider has made the exchange. Its ticket identifies
// the user; the platform token, read from its management API, identifies the launch. The identity
// waits a minute, once, for the page whose SDK is ready. Spec §5.3 rules 3 and 4, §5.6.
import {
  type LaunchParts,
  type ProviderAppSettings,
  routeProvider,
} from '@chartside/app-kit/server'
import { redeemTicket } from './provider/redeem-ticket.ts'

export type Settings = ProviderAppSettings

export const routeLaunch = (parts: LaunchParts<Settings>) => routeProvider(parts, redeemTicket)

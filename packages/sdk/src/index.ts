// The SDK's public surface, exactly that of spec §4.5 and contract §5.
// The build writes the list of host origins in place of a token, and the service replaces that
// token as it serves the script; imported as it is, the SDK knows no host and says so at once.
import { createInit } from './init.ts'

declare const __CHARTSIDE_HOST_ORIGINS__: readonly string[]

const hostOrigins =
  typeof __CHARTSIDE_HOST_ORIGINS__ === 'undefined' ? [] : __CHARTSIDE_HOST_ORIGINS__

export const initServiceSDK = createInit(globalThis, hostOrigins)

/** The same for a Worker app: the launch, not the page, says which kind of app this is. */
export const initWorkerServiceSDK = initServiceSDK

export type { EndReason, ServiceSDKErrorCode } from '@chartside/protocol/handshake'
export type { LaunchEvents } from './channel.ts'
export { ServiceSDKError } from './errors.ts'
export type { InitOptions, InitServiceSDK, ServiceSDK, SessionContext } from './init.ts'
export { version } from './version.ts'

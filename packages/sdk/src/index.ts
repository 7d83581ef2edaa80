// The npm package: init with the same names and types as the served script, which it loads and
// calls. The import only reads the page's code, and does nothing on a server. Spec §4.5, contract
// §5.
import { createFailureReporter, type ReportLaunchFailure } from './launch-failure.ts'
import { createLoader, type LoadAndInit } from './loader.ts'

export const initServiceSDK: LoadAndInit = createLoader(globalThis)

/** The same for a Worker app: the launch, not the page, says which kind of app this is. */
export const initWorkerServiceSDK: LoadAndInit = initServiceSDK

/** Shows the developer what went wrong, at once; works before init and without the script. */
export const reportLaunchFailure: ReportLaunchFailure = createFailureReporter(globalThis)

export type { EndReason, ServiceSDKErrorCode } from '@chartside/protocol/handshake'
export type { ExpiringEvent, LaunchEvents } from './channel.ts'
export { ServiceSDKError } from './errors.ts'
export type { InitOptions, InitServiceSDK, ServiceSDK, SessionContext } from './init.ts'
export type { LaunchFailure, ReportLaunchFailure } from './launch-failure.ts'
export type { LoadAndInit, LoadOptions } from './loader.ts'
export type { Chartside } from './served.ts'

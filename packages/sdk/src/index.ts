// The npm package: init with the same names and types as the served script, which it loads and
// calls. The import only reads the page's code, and does nothing on a server. Spec §4.5, contract
// §5.
import { createFailureReporter, type ReportLaunchFailure } from './launch-failure.ts'
import { createLoader, type LoadAndInit } from './loader.ts'

/**
 * Connects a UI app to the panel that launched it: loads the served script, obtains the tokens, answers
 * the handshake, and resolves with the SDK once the host has verified the token. Two calls at once are
 * one. `accessToken` and `idToken` are from the app's own exchange (spec §5.1); without them the script
 * sends the code of the address to the registered token endpoint (§5.2). Times in the options are
 * milliseconds. Spec §4.5; contract §5.
 * @throws ServiceSDKError TOKEN_FETCH_ERROR (no token for the code), HOST_NOT_FOUND (no panel, or no
 *   script), HANDSHAKE_TIMEOUT, PROTOCOL_MISMATCH, LAUNCH_MISMATCH, TOKEN_REJECTED, LAUNCH_ENDED; a
 *   later `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. An aborted `signal` rejects with its reason
 * @example const sdk = await initServiceSDK({ baseUrl: 'https://chartside.example', accessToken, idToken })
 */
export const initServiceSDK: LoadAndInit = createLoader(globalThis)

/**
 * Connects a Worker app as `initServiceSDK` connects a UI app: the launch, not the page, says which kind of
 * app this is. Times in the options are milliseconds. Spec §4.5; contract §5.
 * @throws ServiceSDKError TOKEN_FETCH_ERROR (no token for the code), HOST_NOT_FOUND (no panel, or no
 *   script), HANDSHAKE_TIMEOUT, PROTOCOL_MISMATCH, LAUNCH_MISMATCH, TOKEN_REJECTED, LAUNCH_ENDED; a
 *   later `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. An aborted `signal` rejects with its reason
 * @example const sdk = await initWorkerServiceSDK({ baseUrl: 'https://chartside.example' })
 */
export const initWorkerServiceSDK: LoadAndInit = initServiceSDK

/**
 * Shows the developer what went wrong, at once, in the launch's timeline: `code`, the likely cause as
 * `message`, and `fix`. It works before init and without the script; a page without a host sends nothing.
 * Never throws. Contract §5.
 * @example reportLaunchFailure({ code: 'exchange_failed', message: 'The exchange answered 500.', traceId })
 */
export const reportLaunchFailure: ReportLaunchFailure = createFailureReporter(globalThis)

export type { EndReason, ServiceSDKErrorCode } from '@chartside/protocol/handshake'
export type { ExpiringEvent, LaunchEvents } from './channel.ts'
export type { ChartEvent } from './charts.ts'
export { ServiceSDKError } from './errors.ts'
export type {
  InitOptions,
  InitServiceSDK,
  SDKFeature,
  ServiceSDK,
  SessionContext,
} from './init.ts'
export type { LaunchFailure, ReportLaunchFailure } from './launch-failure.ts'
export type { LoadAndInit, LoadOptions } from './loader.ts'
export type { Chartside } from './served.ts'

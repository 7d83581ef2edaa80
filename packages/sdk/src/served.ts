// The script that the service serves, classic and as a module: the SDK with the hosts it trusts. A
// page has one SDK: the first script sets `window.Chartside`, and any later one exports that same
// SDK. The build leaves a placeholder that the service replaces by the list of host origins;
// imported without it, the SDK rejects at once. Spec §4.5, contract §5.
import { ServiceSDKError as OwnError, type ServiceSDKErrorClass } from './errors.ts'
import { createInit, type InitServiceSDK } from './init.ts'
import { createFailureReporter, type ReportLaunchFailure } from './launch-failure.ts'
import { version as ownVersion } from './version.ts'

/** The content of `window.Chartside`. */
export interface Chartside {
  readonly initServiceSDK: InitServiceSDK
  /** The same for a Worker app: the launch, not the page, says which kind of app this is. */
  readonly initWorkerServiceSDK: InitServiceSDK
  readonly ServiceSDKError: ServiceSDKErrorClass
  /** Shows the developer what went wrong, at once; works before init. */
  readonly reportLaunchFailure: ReportLaunchFailure
  readonly version: string
}

declare const __CHARTSIDE_HOST_ORIGINS__: readonly string[]

const page = globalThis as { Chartside?: Chartside }

// An element with the id "Chartside" shows as window.Chartside too.
if (typeof page.Chartside?.initServiceSDK !== 'function') {
  const hostOrigins =
    typeof __CHARTSIDE_HOST_ORIGINS__ === 'undefined' ? [] : __CHARTSIDE_HOST_ORIGINS__
  const init = createInit(globalThis, hostOrigins)
  const value: Chartside = {
    initServiceSDK: init,
    initWorkerServiceSDK: init,
    ServiceSDKError: OwnError,
    reportLaunchFailure: createFailureReporter(globalThis),
    version: ownVersion,
  }
  // Read-only against accidents: a script that assigns to the same name later changes nothing. A
  // script that means harm and runs in the page could do whatever the app can; nothing here stops
  // it. Configurable, because a top-level `const Chartside` would else be a syntax error.
  Object.defineProperty(page, 'Chartside', {
    value: Object.freeze(value),
    enumerable: true,
    configurable: true,
  })
}

export const {
  initServiceSDK,
  initWorkerServiceSDK,
  ServiceSDKError,
  reportLaunchFailure,
  version,
} = page.Chartside as Chartside

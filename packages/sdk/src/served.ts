// Entry of the classic script: puts the SDK on `window.Chartside`, once, however often a page
// loads the script. Contract §5.
import { initServiceSDK, initWorkerServiceSDK, ServiceSDKError, version } from './index.ts'

Object.assign(globalThis, {
  Chartside: (globalThis as { Chartside?: unknown }).Chartside ?? {
    initServiceSDK,
    initWorkerServiceSDK,
    ServiceSDKError,
    version,
  },
})

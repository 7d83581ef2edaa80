// The browser half of the app kit: from the Launch URL to a checked code, and the page's end of the
// app's own session. Holds no token but the session's bearer, in memory. Contract §6.
export {
  type AuthorizeRequest,
  beginLaunch,
  buildAuthorizeUrl,
  type LaunchOptions,
} from './begin-launch.ts'
export { type Callback, type CallbackOptions, readCallback } from './callback.ts'
export {
  createDraft,
  type Draft,
  type DraftOptions,
  type DraftSDK,
  type DraftState,
} from './draft.ts'
export { AppKitError, type AppKitErrorCode } from './errors.ts'
export { postOnce } from './own-server.ts'
export type { Page } from './page.ts'
export { rememberLaunch, takeLaunch } from './provider-launch.ts'
export { type AppSession, createSession, type SessionOptions } from './session.ts'

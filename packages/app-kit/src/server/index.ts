// The server half of the app kit, on web-standard Request and Response: exchange, token endpoint,
// ID token verification, the app's own session, option 3, and what every app repeats: settings,
// pages, routes, error responses. Contract §6.
export { type AppKit, createAppKit } from './app-kit.ts'
export {
  type AppSettings,
  buildPageSettings,
  type ClientSettings,
  type Environment,
  type PageSettings,
  type ProviderAppSettings,
  type ProviderSettings,
  type PublicSettings,
  parseAppSettings,
  parseProviderAppSettings,
} from './app-settings.ts'
export type { ClientKey } from './client-assertion.ts'
export type { SdkManifest, ServiceMetadata } from './discovery.ts'
export { createMemoryDraftStore, type DraftStore, type StoredDraft } from './draft-store.ts'
export { createDrafts, type Drafts, type DraftsOptions } from './drafts.ts'
export {
  ExchangeError,
  type ExchangeErrorCode,
  IdTokenError,
  type IdTokenErrorCode,
  ServiceError,
  SessionError,
} from './errors.ts'
export type { ExchangeOptions, Tokens } from './exchange.ts'
export { requireText } from './fields.ts'
export type { IdTokenExpectations } from './id-token.ts'
export type { LaunchIdentity } from './launch-identity.ts'
export {
  type LaunchParts,
  type RedeemTicket,
  routeExchange,
  routeProvider,
  routeTokenEndpoint,
} from './launch-routes.ts'
export { createLogoutReceiver, type Logout, type LogoutReceiverOptions } from './logout-receiver.ts'
export {
  buildLaunchPage,
  buildPage,
  buildStartPage,
  escapeHtml,
  type LaunchPageParts,
  type PageParts,
  type PageScript,
  respondText,
  type TextType,
} from './pages.ts'
export {
  createPendingIdentities,
  type PendingIdentities,
  type PendingIdentitiesOptions,
  type PendingStore,
} from './pending-identities.ts'
export {
  createPlatformTokenReader,
  PlatformTokenError,
  type PlatformTokenErrorCode,
  type PlatformTokenOptions,
  type PlatformTokenReader,
  type PlatformTokens,
} from './platform-token.ts'
export { explainError, Problem, type ProblemView } from './problem.ts'
export { type ReadJsonOptions, readJson } from './read-json.ts'
export {
  createMemoryReplayStore,
  createSqlReplayStore,
  type ReplayStore,
  type SqlReplayStore,
} from './replay-store.ts'
export { requireIdentity } from './require-identity.ts'
export {
  buildPageHeaders,
  createRouter,
  type Handler,
  type Log,
  mintNonce,
  type RouterOptions,
  type Routes,
} from './router.ts'
export {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  type PolicyOptions,
} from './security-headers.ts'
export type { SessionLifetimes, SessionsOptions } from './session-settings.ts'
export {
  createMemorySessionStore,
  type SessionStore,
  type StoredCredentials,
  type StoredSession,
} from './session-store.ts'
export { createSessions, type Sessions, type StartedSession } from './sessions.ts'
export type { AppKitOptions } from './settings.ts'
export { createSqlSessionStore, type SqlSessionStore } from './sql-session-store.ts'
export type { SqlStoreOptions } from './sql-store.ts'
export { fetchUpstream, type Upstream } from './user-info.ts'
export { type Assets, type ChartsideOptions, createWebApp, type WebAppOptions } from './web-app.ts'

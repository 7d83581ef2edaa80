// The server half of the app kit, on web-standard Request and Response: exchange, token endpoint,
// ID token verification, the app's own session, headers, option 3. Contract §6.
export { type AppKit, createAppKit } from './app-kit.ts'
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
export type { IdTokenExpectations } from './id-token.ts'
export type { LaunchIdentity } from './launch-identity.ts'
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
export { type ReadJsonOptions, readJson } from './read-json.ts'
export {
  createMemoryReplayStore,
  createSqlReplayStore,
  type ReplayStore,
  type SqlReplayStore,
  type SqlReplayStoreOptions,
} from './replay-store.ts'
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

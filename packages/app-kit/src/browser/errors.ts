// What goes wrong in the page, as one class: a stable code, a message, what to do about it.
// Owns the wording; never quotes a code, a token or a stored value. Spec §7.

export type AppKitErrorCode =
  /** The Launch URL was opened without a usable `launch_id`. */
  | 'missing_launch_id'
  /** The browser refuses sessionStorage to this page. */
  | 'storage_unavailable'
  /** PKCE was asked for on a page without Web Crypto (http, not localhost). */
  | 'crypto_unavailable'
  /** `Missing OAuth parameters` (spec §7). */
  | 'missing_oauth_parameters'
  /** `CSRF validation failed` (spec §7). */
  | 'csrf_validation_failed'
  /** The callback names another issuer than the launch was sent to (RFC 9207 2.4). */
  | 'issuer_mismatch'
  /** The service answered the authorize request with an error; see `oauthError` and `traceId`. */
  | 'authorization_failed'
  /** The app's own session is over. */
  | 'session_ended'
  /** The app's own server answered with an error; see `status` and `body`. */
  | 'request_failed'
  /** The app's own server did not answer. */
  | 'server_unreachable'
  /** A request of the session would have left the app's own origin. */
  | 'foreign_address'

interface Details {
  readonly fix: string
  /** The OAuth error code of the service, such as `access_denied` (RFC 6749 4.1.2.1). */
  readonly oauthError?: string
  /** What the service's log and the launch's timeline know this failure by. */
  readonly traceId?: string
  /** HTTP status of the app's own server. */
  readonly status?: number
  /** What the app's own server answered, parsed when it was JSON. */
  readonly body?: unknown
  readonly cause?: unknown
}

export class AppKitError extends Error {
  override readonly name = 'AppKitError'
  readonly code: AppKitErrorCode
  /** What the person, or the developer, can do. */
  readonly fix: string
  readonly oauthError: string | undefined
  readonly traceId: string | undefined
  readonly status: number | undefined
  readonly body: unknown

  constructor(code: AppKitErrorCode, message: string, details: Details) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.fix = details.fix
    this.oauthError = details.oauthError
    this.traceId = details.traceId
    this.status = details.status
    this.body = details.body
  }
}

export const LAUNCH_AGAIN = 'Launch the app again from the panel beside the chart.'

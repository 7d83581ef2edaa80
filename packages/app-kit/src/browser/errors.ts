// The error of the browser half: its codes and what it carries. The texts are where it is thrown.
// Spec §7.
import { CodedError } from '../coded-error.ts'

export type AppKitErrorCode =
  /** The Launch URL was opened without a usable `launch_id`. */
  | 'missing_launch_id'
  /** The browser refuses sessionStorage to this page. */
  | 'storage_unavailable'
  /** The page asked for PKCE or a bound ID token without Web Crypto (http, not localhost). */
  | 'crypto_unavailable'
  /** The message is `Missing OAuth parameters` (spec §7). */
  | 'missing_oauth_parameters'
  /** The message is `CSRF validation failed` (spec §7). */
  | 'csrf_validation_failed'
  /** The callback names another issuer than the launch was sent to (RFC 9207 2.4). */
  | 'issuer_mismatch'
  /** The service answered the authorize request with an error; see `oauthError` and `traceId`. */
  | 'authorization_failed'
  /** The browser returned from the provider to a tab that did not begin the launch (option 3). */
  | 'launch_not_begun'
  /** The callback was accepted, and the SDK was never called. Only the host gets this code. */
  | 'init_not_called'
  /** The app's own session has ended. */
  | 'session_ended'
  /** The app's own server answered with an error; see `status` and `body`. */
  | 'request_failed'
  /** The app's own server did not answer. */
  | 'server_unreachable'
  /** A request of the session would have left the app's own origin. */
  | 'foreign_address'

interface Details {
  readonly fix: string
  /** The exact cause, beside a message that the specification fixes: "the callback has no state". */
  readonly detail?: string
  /** The OAuth error code of the service, such as `access_denied` (RFC 6749 4.1.2.1). */
  readonly oauthError?: string
  /** The id of this failure in the service's log and in the launch's timeline. */
  readonly traceId?: string
  /** The HTTP status of the app's own server. */
  readonly status?: number
  /** The body of the app's own server, parsed when it was JSON. */
  readonly body?: unknown
  readonly cause?: unknown
}

/**
 * An error of the kit in a page: `code` from a closed list, the cause as message, and a `fix`. The
 * constructor never throws. Spec §7.
 * @example if (error instanceof AppKitError && error.code === 'session_ended') showEnded()
 */
export class AppKitError extends CodedError<AppKitErrorCode> {
  override readonly name = 'AppKitError'
  readonly detail: string | undefined
  readonly oauthError: string | undefined
  readonly traceId: string | undefined
  readonly status: number | undefined
  readonly body: unknown

  constructor(code: AppKitErrorCode, message: string, details: Details) {
    super(code, message, details.fix, details.cause)
    this.detail = details.detail
    this.oauthError = details.oauthError
    this.traceId = details.traceId
    this.status = details.status
    this.body = details.body
  }
}

export const LAUNCH_AGAIN = 'Launch the app again from the panel beside the chart.'

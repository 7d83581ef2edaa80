// The errors of the two audiences: OAuthError for /app-auth (RFC 6749, RFC 6750) and ApiError for
// everything else (RFC 9457). Each carries a stable code for the caller and an internal reason for
// the log. A message is safe to show to the caller.
import type { Reason } from './reasons.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'account_selection_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'

/** A refusal on an OAuth endpoint. `message` leaves as `error_description`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly reason: Reason | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: OAuthErrorCode,
    message: string,
    options: {
      status?: number
      reason?: Reason
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.name = 'OAuthError'
    this.code = code
    this.status = options.status ?? (code === 'invalid_client' ? 401 : 400)
    this.reason = options.reason
    this.headers = options.headers ?? {}
  }
}

export const API_ERRORS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  not_signed_in: { status: 401, title: 'Sign in first' },
  wrong_credentials: { status: 401, title: 'The e-mail address or the password is wrong' },
  sign_in_failed: { status: 401, title: 'Sign-in failed' },
  second_factor_required: { status: 401, title: 'A second factor code is required' },
  second_factor_setup_required: { status: 403, title: 'Set up a second factor first' },
  sign_in_again: { status: 403, title: 'Sign in again first' },
  region_not_allowed: { status: 403, title: 'Region not allowed' },
  not_allowed: { status: 403, title: 'Your role does not allow this' },
  app_disabled_by_platform: { status: 403, title: 'The platform disabled the app' },
  not_found: { status: 404, title: 'Record not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The request conflicts with what is stored' },
  limit_reached: { status: 409, title: 'A limit of this service is reached' },
  staging_only: { status: 409, title: 'Only a staging environment does this' },
  session_ended: { status: 409, title: 'The EHR session has ended' },
  app_not_available: { status: 409, title: 'The app does not run in this EHR session' },
  used_already: { status: 410, title: 'Already used' },
  precondition_failed: { status: 412, title: 'The record has changed since you read it' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  wrong_host: { status: 421, title: 'The host name is not one of this service' },
  rate_limited: { status: 429, title: 'Too many failed attempts' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  server_error: { status: 500, title: 'Internal error' },
  temporarily_unavailable: { status: 503, title: 'The service cannot reach its storage' },
} as const satisfies Record<string, { status: number; title: string }>

export type ApiErrorCode = keyof typeof API_ERRORS

export interface FieldError {
  /** The JSON Pointer into the body, or the name of a parameter. */
  readonly field: string
  readonly message: string
}

/** A refusal of the backend API; leaves as application/problem+json. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly fields: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>
  /** The further members of the body. */
  readonly extensions: Readonly<Record<string, object>>

  constructor(
    code: ApiErrorCode,
    detail: string,
    fields: readonly FieldError[] = [],
    headers: Readonly<Record<string, string>> = {},
    extensions: Readonly<Record<string, object>> = {},
  ) {
    super(detail)
    this.name = 'ApiError'
    this.code = code
    this.fields = fields
    this.headers = headers
    this.extensions = extensions
  }
}

export const notFound = (what: string) =>
  new ApiError('not_found', `No ${what} with this identifier is visible to you.`)

// The errors of the server half, one class per task, each with a closed set of codes. Owns the
// fixes; the causes are where an error is thrown. Spec §7.
import { CodedError } from '../coded-error.ts'

/** The reason why an exchange failed. */
export type ExchangeErrorCode =
  /** There was no code to exchange; nothing was sent. */
  | 'code_missing'
  /** The service refused it; `status`, `error`, `description` and `traceId` are its own. */
  | 'exchange_refused'
  | 'service_unreachable'
  | 'exchange_timeout'
  /** The token address redirects; the secret is not sent on. */
  | 'redirect_refused'
  /** A success without an `access_token` string. */
  | 'answer_unusable'

interface ExchangeDetails {
  readonly status: number
  readonly error: string
  readonly description?: string | undefined
  readonly traceId?: string | undefined
  readonly retryAfter?: string | undefined
  readonly cause?: unknown
}

/**
 * The error when the exchange of a code failed; launch the app again. `code` is from the closed list
 * `ExchangeErrorCode`. The constructor never throws. Spec §4.2; RFC 6749 §5.2.
 * @example if (error instanceof ExchangeError) return Response.json({ error: error.error }, { status: error.status })
 */
export class ExchangeError extends CodedError<ExchangeErrorCode> {
  override readonly name = 'ExchangeError'
  /** The HTTP status for the app's own page: the service's when it answered, else 400, 502 or 504. */
  readonly status: number
  /** The `error` of the service (RFC 6749 5.2), `missing_code`, or `token_exchange_failed`. */
  readonly error: string
  /** The `error_description` of the service. */
  readonly description: string | undefined
  /** Finds the attempt in the service's log and in the launch's timeline. */
  readonly traceId: string | undefined
  /** The `Retry-After` of the service. The code is spent all the same: launch again. */
  readonly retryAfter: string | undefined

  constructor(code: ExchangeErrorCode, message: string, details: ExchangeDetails) {
    const fix = EXCHANGE_FIXES[code === 'exchange_refused' ? details.error : code] ?? LAUNCH_AGAIN
    super(code, message, fix, details.cause)
    this.status = details.status
    this.error = details.error
    this.description = details.description
    this.traceId = details.traceId
    this.retryAfter = details.retryAfter
  }
}

const LAUNCH_AGAIN =
  'Launch the app again; if it happens again, look at the launch in the timeline.'

const EXCHANGE_FIXES: Readonly<Record<string, string>> = {
  invalid_grant:
    'Launch the app again. A code works once, within 60 seconds, and a failed exchange cannot be repeated.',
  invalid_client:
    'Check clientId and clientSecret of this server. If the secret was retired, make a new one for the app.',
  invalid_request: 'Compare the exchange with the token endpoint in the documentation.',
  temporarily_unavailable: 'Wait a moment, then launch the app again. Your settings are fine.',
  region_not_allowed: 'Run this server in an allowed region, or connect through one.',
  code_missing: 'Post { code } as JSON, with the code of readCallback().',
  service_unreachable: 'Check baseUrl (or tokenUrl) and that the service runs; then launch again.',
  exchange_timeout: 'Check that the service runs, then launch the app again.',
  redirect_refused: 'Configure the address that the service itself answers at, https included.',
  answer_unusable: 'Check that baseUrl (or tokenUrl) is the service and not another server.',
}

/** The reason why an ID token is not accepted. All but the last are about the token. */
export type IdTokenErrorCode =
  | 'token_malformed'
  | 'duplicate_keys'
  | 'algorithm_refused'
  | 'header_refused'
  | 'key_unknown'
  | 'key_ambiguous'
  | 'signature_invalid'
  | 'claim_missing'
  | 'issuer_mismatch'
  | 'audience_mismatch'
  | 'authorized_party_mismatch'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'nonce_mismatch'
  | 'launch_mismatch'
  | 'token_replayed'
  /** The key set could not be fetched and none is known; the token was not checked. */
  | 'keys_unavailable'

/**
 * The error when an ID token is not accepted. `code` is from the closed list `IdTokenErrorCode`. The
 * constructor never throws. Spec §5.4; OpenID Connect Core 1.0 §3.1.3.7.
 * @example if (error instanceof IdTokenError && error.status === 503) return retryLater()
 */
export class IdTokenError extends CodedError<IdTokenErrorCode> {
  override readonly name = 'IdTokenError'
  /** The status is 401, or 503 for keys_unavailable. */
  readonly status: 401 | 503

  constructor(code: IdTokenErrorCode, message: string, options?: ErrorOptions) {
    const fix =
      ID_TOKEN_FIXES[code] ?? 'Launch the app again: every launch brings a fresh ID token.'
    super(code, message, fix, options?.cause)
    this.status = code === 'keys_unavailable' ? 503 : 401
  }
}

const NOT_GENUINE =
  'Take id_token from the token endpoint, unchanged. If this repeats, a forged token was sent.'

const ID_TOKEN_FIXES: Readonly<Partial<Record<IdTokenErrorCode, string>>> = {
  token_malformed: NOT_GENUINE,
  duplicate_keys: NOT_GENUINE,
  algorithm_refused: NOT_GENUINE,
  header_refused: NOT_GENUINE,
  signature_invalid: NOT_GENUINE,
  key_unknown:
    'Check that baseUrl names the service that issued the token (production or staging).',
  issuer_mismatch:
    'Check baseUrl; if the service has another issuer (ISSUER_URL), pass it as issuer, to the byte.',
  audience_mismatch: 'Check that clientId is the client ID of the app that was launched.',
  token_expired:
    'Launch the app again. If a fresh token is expired, set the clock of this server (NTP): it is ahead.',
  token_not_yet_valid: 'Set the clock of this server (NTP): it is behind.',
  token_replayed:
    'Verify an ID token once, start your own session from it, and use that session afterwards.',
  keys_unavailable: 'Check that this server reaches the service, then launch the app again.',
}

type ServiceErrorCode = 'service_unreachable' | 'service_misdescribed'

/**
 * The error when the metadata or keys of the service cannot be read, or name another issuer: code
 * `service_unreachable` or `service_misdescribed`, status 503. The constructor never throws. Spec §4.4.
 * @example if (error instanceof ServiceError) return new Response(error.fix, { status: error.status })
 */
export class ServiceError extends CodedError<ServiceErrorCode> {
  override readonly name = 'ServiceError'
  readonly status = 503

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, SERVICE_FIXES[code], options?.cause)
  }
}

const SERVICE_FIXES: Readonly<Record<ServiceErrorCode, string>> = {
  service_unreachable: 'Start the service, or correct baseUrl of this server.',
  service_misdescribed:
    'Check that baseUrl is the service itself, and that issuer is its ISSUER_URL to the byte.',
}

/**
 * The error when the app's own session is not started: the request comes from another origin
 * (`origin_not_allowed`, 403). The constructor never throws. Spec §5.6.
 * @example if (error instanceof SessionError) return new Response(error.fix, { status: error.status })
 */
export class SessionError extends CodedError<'origin_not_allowed'> {
  override readonly name = 'SessionError'
  readonly status = 403

  constructor() {
    super(
      'origin_not_allowed',
      'A page of another origin, or no page, asked for a session.',
      'Start the session from a page of this app. Behind a proxy, list its public origin in allowedOrigins of createSessions.',
    )
  }
}

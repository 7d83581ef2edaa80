// The one error class of the host. `code` is the service's own problem code, or one of
// the host's: service_unreachable, launch_url_refused, foreign_launch, session_ended, closed.
// It never carries a bearer value.
import type { EndReason } from '@chartside/protocol/launch'

/**
 * An error of the host. `code` is the service's own, or `service_unreachable`, `launch_url_refused`,
 * `foreign_launch`, `session_ended`, `closed`. An answer without a code gives `http_` and its status. The
 * constructor never throws. Contract §5.
 * @example if (error instanceof HostError && error.isTransient) retryLater()
 */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: string
  /** The HTTP status of the service's answer; null when there was none. */
  readonly status: number | null
  readonly traceId: string | null
  /** The reason why the sign-in ended, when the service refuses its token. */
  readonly ended: EndReason | null
  /** The milliseconds until the service takes the call again (RFC 9110 10.2.3); null when it does not say. */
  readonly retryAfterMs: number | null

  constructor(
    code: string,
    message: string,
    detail: {
      status?: number
      traceId?: string | null
      ended?: EndReason | null
      retryAfterMs?: number | null
      cause?: unknown
    } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.code = code
    this.status = detail.status ?? null
    this.traceId = detail.traceId ?? null
    this.ended = detail.ended ?? null
    this.retryAfterMs = detail.retryAfterMs ?? null
  }

  /** The same call may succeed later: no answer, 429 or 5xx. */
  get isTransient(): boolean {
    return this.status === null
      ? this.code === 'service_unreachable'
      : this.status >= 500 || this.status === 429
  }
}

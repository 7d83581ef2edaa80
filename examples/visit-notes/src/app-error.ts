// What this app tells its own page when something fails: a stable code, the cause, the fix and the
// trace id that support asks for. Owns the wording of fixes; never carries a code, token or secret.
// Spec §7; contract §2 (error bodies of the token endpoint).

export interface ErrorView {
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

export class AppError extends Error {
  readonly status: number
  readonly view: ErrorView

  constructor(status: number, view: ErrorView, options?: ErrorOptions) {
    super(`${view.error}: ${view.cause}`, options)
    this.name = 'AppError'
    this.status = status
    this.view = view
  }
}

const FIXES: Readonly<Record<string, string>> = {
  invalid_grant:
    'Launch the app again. A code works once, within 60 seconds, and a failed exchange cannot be repeated.',
  invalid_client:
    'Check CLIENT_ID and CLIENT_SECRET of this server. If the secret was retired, make a new one for the app.',
  invalid_request: 'Compare the exchange with section 4.2 of the specification.',
  unsupported_grant_type: 'Send grant_type=authorization_code.',
  temporarily_unavailable: 'Wait a moment, then launch the app again. Your settings are fine.',
  region_not_allowed: 'Run this server in an allowed region, or connect through one.',
}

const LAUNCH_AGAIN =
  'Launch the app again; if it happens again, look at the launch in the timeline.'

/** The token endpoint answered with an error; its status and code are kept. */
export function exchangeFailed(status: number, body: unknown): AppError {
  const fields = isRecord(body) ? body : {}
  const error = typeof fields.error === 'string' ? fields.error : 'token_exchange_failed'
  return new AppError(status, {
    error,
    cause:
      typeof fields.error_description === 'string'
        ? fields.error_description
        : `The token endpoint answered ${status} without a description.`,
    fix: FIXES[error] ?? LAUNCH_AGAIN,
    ...(typeof fields.trace_id === 'string' ? { trace_id: fields.trace_id } : {}),
  })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

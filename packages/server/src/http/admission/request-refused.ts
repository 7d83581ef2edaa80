// The refusal of a caller by region or rate, whatever the request contains. One class for both
// audiences; http/replies.ts builds the reply of each.

export type CallerRefusalCode = 'region_not_allowed' | 'rate_limited'

export class RequestRefused extends Error {
  readonly code: CallerRefusalCode
  readonly headers: Readonly<Record<string, string>>
  /** The extension members of the body, beside code and message. */
  readonly extensions: Readonly<Record<string, string | null>>

  private constructor(
    code: CallerRefusalCode,
    message: string,
    headers: Readonly<Record<string, string>>,
    extensions: Readonly<Record<string, string | null>>,
  ) {
    super(message)
    this.name = 'RequestRefused'
    this.code = code
    this.headers = headers
    this.extensions = extensions
  }

  static forRegion(message: string, country: string | undefined): RequestRefused {
    return new RequestRefused('region_not_allowed', message, {}, { country: country ?? null })
  }

  static forRate(message: string, waitMs: number): RequestRefused {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new RequestRefused('rate_limited', message, { 'retry-after': String(seconds) }, {})
  }
}

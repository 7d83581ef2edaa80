// The refusal of a caller for where or how often they call, whatever the request says. One class for
// both audiences; http/replies.ts puts it into the words of each.

export type CallerRefusalCode = 'region_not_allowed' | 'rate_limited'

export class RequestRefused extends Error {
  readonly code: CallerRefusalCode
  readonly headers: Readonly<Record<string, string>>
  /** What the body tells beside code and message. */
  readonly facts: Readonly<Record<string, string | null>>

  private constructor(
    code: CallerRefusalCode,
    message: string,
    headers: Readonly<Record<string, string>>,
    facts: Readonly<Record<string, string | null>>,
  ) {
    super(message)
    this.name = 'RequestRefused'
    this.code = code
    this.headers = headers
    this.facts = facts
  }

  static forRegion(message: string, country: string | undefined): RequestRefused {
    return new RequestRefused('region_not_allowed', message, {}, { country: country ?? null })
  }

  static forRate(message: string, waitMs: number): RequestRefused {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new RequestRefused('rate_limited', message, { 'retry-after': String(seconds) }, {})
  }
}

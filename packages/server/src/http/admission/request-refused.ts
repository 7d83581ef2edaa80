// The refusal of a caller for where or how often they call, whatever the request says. One class for
// both audiences; http/replies.ts puts it into the words of each.

export type CallerRefusalCode = 'region_not_allowed' | 'rate_limited'

export class CallerRefused extends Error {
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
    this.name = 'CallerRefused'
    this.code = code
    this.headers = headers
    this.facts = facts
  }

  static forRegion(message: string, country: string | undefined): CallerRefused {
    return new CallerRefused('region_not_allowed', message, {}, { country: country ?? null })
  }

  static forRate(message: string, waitMs: number): CallerRefused {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new CallerRefused('rate_limited', message, { 'retry-after': String(seconds) }, {})
  }
}

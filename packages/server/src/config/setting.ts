// What a setting is: variable, default, help text and parser. Builders for the kinds that occur often:
// a maximum number and a lifetime.
import { integer, type Parsed } from './setting-parsers.ts'

export interface Setting<T> {
  /** The name is ours, or a standard one of OpenTelemetry. */
  readonly variable: `CHARTSIDE_${string}` | `OTEL_${string}`
  /** The value when the variable is absent or empty; itself text, so that it can be printed. */
  readonly fallback: string
  readonly help: string
  readonly secret?: true
  readonly parse: (text: string) => Parsed<T>
}

export const limit = (
  variable: Setting<number>['variable'],
  fallback: number,
  max: number,
  what: string,
) =>
  ({
    variable,
    fallback: String(fallback),
    help: `Maximum number of ${what}.`,
    parse: integer(1, max),
  }) satisfies Setting<number>

export const lifetime = (variable: Setting<number>['variable'], fallback: number, help: string) =>
  ({
    variable,
    fallback: String(fallback),
    help: `${help}, in seconds.`,
    parse: integer(1, 86_400),
  }) satisfies Setting<number>

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

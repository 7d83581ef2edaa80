// The header `traceparent`, by which a caller says to which of its traces a request belongs, and
// `traceresponse`, by which the answer says which span it became. A header that breaks a rule is
// ignored, as if it were absent. Pure. W3C Trace Context, sections 3.2 and 4.
export interface TraceContext {
  /** The id has 32 hexadecimal digits. */
  readonly traceId: string
  /** The span of the caller: 16 hexadecimal digits. */
  readonly parentId: string
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Version 00 has exactly four fields; a later one may have more. */
const FIRST_VERSION = '00'
const NO_VERSION = 'ff'

export function parseTraceparent(
  header: string | readonly string[] | undefined,
): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', parentId = '', , rest] = FORM.exec(header) ?? []
  if (version === undefined || version === NO_VERSION) return undefined
  if (version === FIRST_VERSION && rest !== undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId }
}

export const formatTraceresponse = (traceId: string, spanId: string): string =>
  `${FIRST_VERSION}-${traceId}-${spanId}-01`

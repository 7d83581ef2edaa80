// A time in the query of a list: RFC 3339, with its zone, so that it means the same everywhere. Lists of launches
// and of audit events take two of them. Contract §4.
import { ApiError } from '../../kernel/errors.ts'
import { parseRfc3339 } from '../../kernel/time.ts'

export function parseTimeQuery(
  query: Readonly<Record<string, string | undefined>>,
  field: 'from' | 'to',
): number | undefined {
  const value = query[field]
  if (value === undefined) return undefined
  const at = parseRfc3339(value)
  // From 1970 on: the window of an earlier one would begin before the year 0.
  if (at !== undefined && at >= 0) return at
  const message = 'Must be a time such as 2026-03-01T12:00:00Z; write + as %2B.'
  throw new ApiError('invalid_request', `${field} is not a time.`, [{ field, message }])
}

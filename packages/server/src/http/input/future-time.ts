// A time of a request that must lie in the future, such as the end of a secret or of a membership.
// Pure; the clock is an argument.
import { ApiError } from '../../kernel/errors.ts'
import { parseRfc3339 } from '../../kernel/time.ts'

/** Returns milliseconds; undefined without a time. @throws ApiError invalid_request */
export function parseFuture(
  field: string,
  text: string | null | undefined,
  now: number,
): number | undefined {
  if (text === undefined || text === null) return undefined
  const at = parseRfc3339(text)
  if (at !== undefined && at > now) return at
  const problem = at === undefined ? 'is not a time' : 'is in the past'
  throw new ApiError('invalid_request', `${field} ${problem}.`, [
    { field: `/${field}`, message: 'Must be an RFC 3339 time in the future, with its zone.' },
  ])
}

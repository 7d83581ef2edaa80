// Lists the errors of a route of the backend API: those that follow from its row of the table, and its
// own. The reference prints them; tests check every answer against them. Pure.
import { API_ERRORS, type ApiErrorCode } from './kernel/errors.ts'
import type { ApiRoute } from './route.ts'

/** Whether the request names one record, in its path or by the account in its body. */
const namesRecord = ({ path, body }: ApiRoute) =>
  path.includes(':') || (typeof body === 'object' && 'accountId' in (body.properties ?? {}))

export function listErrorCodes(route: ApiRoute): readonly ApiErrorCode[] {
  const {
    permission = 'self',
    caller,
    method,
    regions,
    recentAuth,
    wholePerson,
    takesDeveloperKey = false,
    errors = [],
  } = route
  // A viewer may read an account, and is refused what changes something there.
  const isByRole =
    ['platform', 'run', 'develop', 'end'].includes(permission) ||
    (permission === 'read' && method !== 'GET')
  const when = (applies: boolean, ...codes: ApiErrorCode[]) => (applies ? codes : [])
  const codes = [
    ...new Set([
      ...when(true, 'invalid_request'),
      ...when(method !== 'GET', 'invalid_json', 'body_too_large', 'unsupported_media_type'),
      ...when(caller === 'person', 'not_signed_in'),
      ...when(regions === 'allowed', 'region_not_allowed'),
      ...when(isByRole || wholePerson === true || takesDeveloperKey, 'not_allowed'),
      ...when(takesDeveloperKey, 'rate_limited'),
      ...when(recentAuth !== undefined, 'sign_in_again'),
      ...when(namesRecord(route), 'not_found'),
      ...errors,
      ...when(
        true,
        'request_timeout',
        'headers_too_large',
        'wrong_host',
        'server_error',
        'temporarily_unavailable',
      ),
    ]),
  ]
  // A route that describes its own answer of a status gives no general one with it.
  return codes.filter((code) => !(API_ERRORS[code].status in route.answers))
}

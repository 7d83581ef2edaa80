// How many records of each kind one owner may have, and the refusal of one more. Without a bound, one
// account could fill the tables that all share. The store that inserts holds the bound in its write.
// Contract §9, security V03.
import { ApiError } from './errors.ts'

/** Every exchange compares all of them. */
export const MAX_LIVE_SECRETS = 20

/** The one in use, and the next one while the directory changes over. */
export const MAX_DIRECTORY_TOKENS = 2

/** The maximum allows one for each pipeline and machine of a developer. */
export const MAX_DEVELOPER_KEYS = 5

/** The sign-in page of a practice lists all of them. */
export const MAX_IDENTITY_PROVIDERS = 3

/** Each is looked up in DNS every day. */
export const MAX_DOMAINS = 20

/** Each event is sent to all of them. */
export const MAX_WEBHOOKS = 3

/**
 * @param owner for example `account`
 * @param records for example `apps`
 * @param setting the variable that raises the limit, if an operator may
 */
export function limitReached(
  owner: string,
  records: string,
  max: number,
  setting?: `CHARTSIDE_${string}`,
): ApiError {
  const raise = setting === undefined ? '' : ` The operator of the service can raise ${setting}.`
  return new ApiError(
    'limit_reached',
    `This ${owner} has ${max} ${records}, which is the limit. Remove some that are not used.${raise}`,
    [{ field: records, message: `At most ${max} for each ${owner}.` }],
  )
}

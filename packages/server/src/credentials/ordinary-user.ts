// The account for emergencies has one password, in a safe, and nothing else: no route gives it a reset, a login
// method, a second factor or a membership. The SQL of invitations holds the same. Security V23.
import { ApiError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { User } from '../kernel/user.ts'

/** The attempt is an alert where there is a log: the command line has none. @throws ApiError 409 */
export function refuseEmergencyAccount(
  user: Pick<User, 'id' | 'isEmergency'>,
  log?: Pick<HasLog['log'], 'error'>,
): void {
  if (!user.isEmergency) return
  log?.error({ user: user.id }, 'ALERT: a change of the emergency account was refused')
  throw new ApiError(
    'conflict',
    'This is the account for emergencies. Only the command line changes it: chartside emergency.',
  )
}

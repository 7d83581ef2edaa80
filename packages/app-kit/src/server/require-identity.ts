// Finds who sends a request, by the app's own session. Never trusts an identity that the page
// sends. Spec §2.5, §5.6.
import type { LaunchIdentity } from './launch-identity.ts'
import { Problem } from './problem.ts'
import type { Sessions } from './sessions.ts'

/**
 * Returns the user of the app's own session; `account.id` is the tenant key. Spec §5.6.
 * @throws Problem 401 `session_ended`: the request has no session that is alive
 * @example const { account } = await requireIdentity(sessions, request)
 */
export async function requireIdentity(
  sessions: Pick<Sessions, 'authenticate'>,
  request: Pick<Request, 'headers'>,
): Promise<LaunchIdentity> {
  const identity = await sessions.authenticate(request)
  if (identity) return identity
  throw new Problem(401, {
    error: 'session_ended',
    cause: 'This session has ended.',
    fix: 'Launch the app again.',
  })
}

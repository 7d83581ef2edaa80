// Finds who sends a request, by the app's own session. Never trusts an identity that the page
// sends. Spec §2.5, §5.6.
import type { LaunchIdentity, Sessions } from '@chartside/app-kit/server'
import { Problem } from './problem.ts'

/** @throws Problem 401 */
export async function requireIdentity(
  sessions: Pick<Sessions, 'authenticate'>,
  request: Request,
): Promise<LaunchIdentity> {
  const identity = await sessions.authenticate(request)
  if (identity) return identity
  throw new Problem(401, {
    error: 'session_ended',
    cause: 'This session has ended.',
    fix: 'Launch the app again.',
  })
}

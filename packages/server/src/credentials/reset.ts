// Issues a reset: a one-time link at which a user replaces every login method. The caller has checked
// the permission of the administrator; invitation-store.ts checks it again when the link is used.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { PersonCall } from '../http/call.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitationStatements } from './invitation-store.ts'

interface ResetTarget {
  readonly userId: string
  /** The account whose administrator issued the reset, if any. */
  readonly accountId: string | undefined
  /** A user, or {@link OPERATOR}. */
  readonly createdBy: string
}

export async function issueReset(
  { config, db, randomness }: HasConfig & HasDatabase & HasRandomness,
  { userId, accountId, createdBy }: ResetTarget,
  { now, log }: Pick<PersonCall, 'now'> & { readonly log?: PersonCall['log'] },
): Promise<{ url: string; expiresAt: string }> {
  const about = {
    userId,
    accountId,
    createdBy,
    signInId: undefined,
    purpose: 'reset',
  } as const
  const minted = mintInvitation(config.baseUrl, about, now, randomness)
  await db.write(...insertInvitationStatements(minted))
  log?.info({ user: userId }, 'reset issued')
  return { url: minted.url, expiresAt: rfc3339(minted.invitation.expiresAt) }
}

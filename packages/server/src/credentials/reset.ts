// Makes the one-time address at which a person sets up anew how they sign in, because an administrator
// says so. Who may is decided by the caller, and again when it is used: invitation-store.ts.
import type { PersonCall } from '../http/route.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Service } from '../service.ts'
import { mintInvitation } from './invitation.ts'
import { insertInvitationStatements } from './invitation-store.ts'

/** @param accountId the account is that of the administrator whose right it hangs on, if any. */
export async function makeReset(
  { config, db, randomness }: Service,
  { userId, accountId }: { readonly userId: string; readonly accountId: string | undefined },
  { person, now, log }: PersonCall,
): Promise<{ url: string; expiresAt: string }> {
  const about = {
    userId,
    accountId,
    createdBy: person.user.id,
    signInId: undefined,
    purpose: 'reset',
  } as const
  const minted = mintInvitation(config.baseUrl, about, now, randomness)
  await db.write(...insertInvitationStatements(minted))
  log.info({ user: userId }, 'reset address made')
  return { url: minted.url, expiresAt: rfc3339(minted.invitation.expiresAt) }
}

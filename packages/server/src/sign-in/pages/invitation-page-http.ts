// The edge of GET /auth/invitation, the page of a one-time link. A holder who may set a login method
// gets the forms for a new one; a holder who has one already gets the sign-in page. A GET changes
// nothing, so a mail program that follows links does no harm. Contract §4 (Members).
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { openPreAuthSession } from '../interaction/pre-auth-session.ts'
import { invitationIntent } from '../interaction/sign-in-intent.ts'
import { loadInvitation, mayHolderSetMethod } from '../invitation/open-invitation.ts'
import { describePasswordProblem, showNewMethodForms } from './new-method-page.ts'
import { findRefusal } from './refused-sign-in.ts'
import { showSignInForms } from './sign-in-page.ts'

export async function showInvitation(
  service: HasConfig & HasDatabase & HasRandomness,
  call: PageCall,
): Promise<Reply> {
  const { fields, cookies, now } = call
  const token = fields.token ?? ''
  const opened = await loadInvitation(service, token, now)
  const session = openPreAuthSession(service, cookies)
  if (mayHolderSetMethod(opened)) {
    const problem = describePasswordProblem(fields.problem)
    return showNewMethodForms(service, { session, token, opened, now }, problem)
  }
  const refused = await findRefusal(service, session, call)
  return showSignInForms(service, session, invitationIntent(token, opened), now, refused)
}

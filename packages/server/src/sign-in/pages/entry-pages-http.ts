// The two pages at which a sign-in begins: GET /auth/sign-in, and GET /auth/invitation for a one-time link. A
// holder who may set a login method gets the forms for a new one; one who has a method gets the sign-in page. A
// GET changes nothing, so a mail program that follows links does no harm. Contract §3, §4 (Members).

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { openPreAuthSession } from '../interaction/pre-auth-session.ts'
import {
  invitationIntent,
  loadSignInIntent,
  requireSignInIntent,
} from '../interaction/sign-in-intent.ts'
import { loadInvitation, mayHolderSetMethod } from '../invitation/open-invitation.ts'
import { describePasswordProblem, showNewMethodForms } from './new-method-page.ts'
import { findRefusal } from './refused-sign-in.ts'
import { showSignInForms } from './sign-in-page.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export async function showSignInPage(service: Parts, call: PageCall): Promise<Reply> {
  const loaded = await loadSignInIntent(service, call.fields, call)
  requireSignInIntent(loaded)
  const session = openPreAuthSession(service, call.cookies)
  const refused = await findRefusal(service, session, call)
  return showSignInForms(service, session, loaded, call.now, refused)
}

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

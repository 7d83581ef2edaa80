// The two pages at which a sign-in begins: GET /auth/sign-in, and GET /auth/invitation for a one-time link. A
// holder who may set a login method gets the forms for a new one; one who has a method gets the sign-in page. A
// GET changes nothing, so a mail program that follows links does no harm. Contract §3, §4 (Members).

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUser } from '../../users/user-store.ts'
import { findPersonByToken } from '../caller.ts'
import { findComparedCode } from '../interaction/compared-code.ts'
import { openPreAuthSession } from '../interaction/pre-auth-session.ts'
import {
  invitationIntent,
  type LoadedIntent,
  loadSignInIntent,
  requireSignInIntent,
} from '../interaction/sign-in-intent.ts'
import { loadInvitation, mayHolderSetMethod } from '../invitation/open-invitation.ts'
import { findCookieToken } from '../session-cookie.ts'
import { describePasswordProblem, showNewMethodForms } from './new-method-page.ts'
import { findRefusal } from './refused-sign-in.ts'
import { showSignInForms } from './sign-in-page.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export async function showSignInPage(service: Parts & HasLog, call: PageCall): Promise<Reply> {
  const loaded = await loadSignInIntent(service, call.fields, call)
  requireSignInIntent(loaded)
  const session = openPreAuthSession(service, call.cookies)
  const refused = await findRefusal(service, session, call)
  const email = refused?.email ?? (await findKnownEmail(service, loaded, call))
  return showSignInForms(service, session, loaded, call.now, { refused, email })
}

/** Finds the address of the user who compared the codes in this browser, or who proves a sign-in again. */
async function findKnownEmail(
  service: Parts & HasLog,
  { intent, fields }: LoadedIntent,
  call: PageCall,
): Promise<string | undefined> {
  if (fields.again === '1') {
    const token = findCookieToken(service.config.baseUrl, call.cookies)
    const person = await findPersonByToken(service, token, call.now, { isBackground: true })
    return person && 'user' in person ? person.user.email : undefined
  }
  const compared =
    intent.for === 'client' ? await findComparedCode(service, intent, call) : undefined
  return compared && (await findUser(service.db, compared.userId))?.email
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
  const known = { refused, email: refused?.email }
  return showSignInForms(service, session, invitationIntent(token, opened), now, known)
}

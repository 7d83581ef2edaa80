// The edge of GET /auth/sign-in: the page that a client opens in a tab. Loads the intent, opens the
// pre-authentication session and shows the page, also after a refused password. Each form leads to the room of its login method.
// Contract §3, security U06.
import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { openPreAuthSession } from '../interaction/pre-auth-session.ts'
import { loadSignInIntent, requireSignInIntent } from '../interaction/sign-in-intent.ts'
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

// The edge of POST /auth/invitation/password: the holder of an invitation sets a password. One that is
// too short, too long or the user's own address leads to the page again. Contract §4 (Members).

import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import { findPasswordProblem } from '../../credentials/login-method.ts'
import type { HasPasswords } from '../../credentials/password.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { goTo } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { verifyCsrf } from '../interaction/pre-auth-session.ts'
import { acceptWithMethod } from '../invitation/acceptance.ts'
import { loadMethodInvitation } from '../invitation/open-invitation.ts'

type Parts = HasConfig & HasDatabase & HasLog & HasPasswords & HasRandomness & HasSubscriptions

export async function setPassword(service: Parts, call: PageCall): Promise<Reply> {
  const { fields, now, trail } = call
  verifyCsrf(service.config.baseUrl, call)
  const { token = '', password = '' } = fields
  const opened = await loadMethodInvitation(service, token, now)
  const problem = findPasswordProblem(password, opened.user.email)
  if (problem !== undefined) {
    // The page says what is wrong, at an address that can be loaded again.
    const query = new URLSearchParams({ token, problem }).toString()
    return goTo(`${service.config.baseUrl}/auth/invitation?${query}`)
  }
  trail.userId = opened.user.id
  const method = {
    id: newId('mth', now, service.randomness),
    kind: 'password',
    label: 'Password',
    passwordHash: await service.passwords.hash(password),
  } as const
  return acceptWithMethod(service, opened, method, now)
}

// The edge of POST /auth/sign-in/passkey: verifies the assertion of a passkey and leads to the consent
// page. The interaction is redeemed before the assertion is verified, so a challenge works once.
// Contract §3, WebAuthn Level 3.

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { HasConfig } from '../../config/config.ts'
import { findMethodBySubject, updateMethodDetails } from '../../credentials/login-method-store.ts'
import {
  parseAnswer,
  type StoredPasskey,
  userHandleOf,
  verifySignIn,
} from '../../credentials/passkey.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { redirectToConsent } from '../interaction/interaction-pages.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { deriveFor, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { passkeyRefused } from './passkey-refused.ts'

export async function signInWithPasskey(
  service: HasConfig & HasDatabase & HasRandomness,
  call: PageCall,
): Promise<Reply> {
  const { config, db } = service
  const { now, fields } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'passkey', now } as const
  const interaction = await redeemInteraction(db, key)
  const answer = parseAnswer<AuthenticationResponseJSON>(fields.response)
  const found = answer && (await findMethodBySubject<StoredPasskey>(db, 'passkey', answer.id))
  if (!interaction || !answer || !found?.details) throw passkeyRefused()
  const { method, details } = found
  const challenge = deriveFor(session, interaction.id, 'passkey')
  const verified =
    answer.response.userHandle === userHandleOf(method.userId)
      ? await verifySignIn(config.baseUrl, challenge, answer, details)
      : undefined
  // A copy of the key with an older counter loses against the one that was used meanwhile.
  if (!verified || !(await updateMethodDetails(db, method.id, details, verified))) {
    throw passkeyRefused()
  }
  const { userId, id: methodId } = method
  call.trail.userId = userId
  const { intent } = interaction.data
  return redirectToConsent(service, { intent, userId, methodId }, call)
}

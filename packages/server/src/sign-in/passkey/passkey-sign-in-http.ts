// The edges of the two passkey forms: POST /auth/sign-in/passkey verifies an assertion and leads to the consent
// page, POST /auth/invitation/passkey adds the first passkey of an invited user. Each redeems its interaction
// before it verifies anything, so a challenge works once. Contract §3, WebAuthn Level 3.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import { findMethodBySubject, updateMethodDetails } from '../../credentials/login-method-store.ts'
import {
  parseAnswer,
  type StoredPasskey,
  userHandleOf,
  verifyNewPasskey,
  verifySignIn,
} from '../../credentials/passkey.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { redirectToConsent } from '../interaction/interaction-pages.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { deriveFor, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { acceptWithMethod } from '../invitation/acceptance.ts'
import { loadMethodInvitation } from '../invitation/open-invitation.ts'

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
  call.auditSubject.userId = userId
  const { intent } = interaction.data
  return redirectToConsent(service, { intent, userId, methodId }, call)
}

export const passkeyRefused = () =>
  new ApiError(
    'sign_in_failed',
    'The passkey is not known here, or its answer was not for this page. Open the page again.',
  )

type Parts = HasConfig & HasDatabase & HasLog & HasRandomness & HasSubscriptions

export async function addPasskey(service: Parts, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  const { now, fields } = call
  const session = verifyCsrf(config.baseUrl, call)
  const opened = await loadMethodInvitation(service, fields.token ?? '', now)
  const key = { id: fields.step ?? '', session, kind: 'new_passkey', now } as const
  const interaction = await redeemInteraction(db, key)
  const answer = parseAnswer<RegistrationResponseJSON>(fields.response)
  if (interaction?.data.invitationId !== opened.invitation.id || !answer) throw passkeyRefused()
  const challenge = deriveFor(session, interaction.id, 'passkey')
  const created = await verifyNewPasskey(config.baseUrl, challenge, answer)
  if (!created) throw passkeyRefused()
  call.auditSubject.userId = opened.user.id
  const method = {
    id: newId('mth', now, randomness),
    kind: 'passkey',
    label: created.isSynced ? 'Passkey, synchronised' : 'Passkey of one device',
    subject: created.id,
    details: JSON.stringify(created.passkey),
  } as const
  return acceptWithMethod(service, opened, method, now)
}

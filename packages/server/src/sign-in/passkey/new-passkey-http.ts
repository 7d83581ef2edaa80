// The edge of POST /auth/invitation/passkey: the holder of an invitation registers a passkey. The
// interaction is redeemed before the attestation is verified, so a challenge works once.
// Contract §4 (Members), WebAuthn Level 3.

import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { HasConfig } from '../../config/config.ts'
import { parseAnswer, verifyNewPasskey } from '../../credentials/passkey.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasLog } from '../../kernel/log.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { redeemInteraction } from '../interaction/interaction-store.ts'
import { deriveFor, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { acceptWithMethod } from '../invitation/acceptance.ts'
import { loadMethodInvitation } from '../invitation/open-invitation.ts'
import { passkeyRefused } from './passkey-refused.ts'

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
  call.trail.userId = opened.user.id
  const method = {
    id: newId('mth', now, randomness),
    kind: 'passkey',
    label: created.isSynced ? 'Passkey, synchronised' : 'Passkey of one device',
    subject: created.id,
    details: JSON.stringify(created.passkey),
  } as const
  return acceptWithMethod(service, opened, method, now)
}

// The edge of /auth/sign-in/second-factor/setup: a user who must have a second factor and has none sets
// it up between the password and the consent page, and gets the recovery codes, once. Security P08.

import type { FastifyBaseLogger } from 'fastify'
import type { HasConfig } from '../../config/config.ts'
import { mintRecoveryCodes } from '../../credentials/recovery-code.ts'
import { replaceRecoveryCodes } from '../../credentials/recovery-code-store.ts'
import { sealSecret, unsealSecret } from '../../credentials/second-factor.ts'
import {
  confirmFactor,
  findSecondFactor,
  upsertUnconfirmedFactor,
} from '../../credentials/second-factor-store.ts'
import { buildTotpUri, findTotpStep, TOTP_SECRET_BYTES, toBase32 } from '../../credentials/totp.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { textField } from '../../http/html/form-field.ts'
import { buildPage, goTo, hidden, html } from '../../http/html/page.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { findUser } from '../../users/user-store.ts'
import { type AuthenticatedUser, interactionExpired } from '../interaction/interaction.ts'
import {
  INTERACTION_PATHS,
  loadInteraction,
  redirectToConsent,
  redirectToInteraction,
} from '../interaction/interaction-pages.ts'
import { findInteraction, redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, type PreAuthSession, verifyCsrf } from '../interaction/pre-auth-session.ts'

type EnrolmentService = HasConfig & HasDatabase & HasRateLimits & HasRandomness

/** Makes the secret that the page shows. */
export async function redirectToEnrolment(
  service: EnrolmentService,
  authenticated: AuthenticatedUser,
  now: number,
): Promise<Reply> {
  const { userId } = authenticated
  const sealed = sealSecret(service, userId, service.randomness.bytes(TOTP_SECRET_BYTES))
  await upsertUnconfirmedFactor(service.db, userId, sealed, now)
  return redirectToInteraction(service, 'enrolment', authenticated, now)
}

export async function showEnrolment(service: EnrolmentService, call: PageCall): Promise<Reply> {
  const { session, interaction } = await loadInteraction(service, call, 'enrolment')
  const isWrong = call.fields.problem === 'wrong'
  return buildEnrolmentPage(service, session, interaction.id, interaction.data.userId, isWrong)
}

export async function enrol(
  service: EnrolmentService & { readonly log: FastifyBaseLogger },
  call: PageCall,
): Promise<Reply> {
  const { config, db, limits, randomness } = service
  const { fields, now, auditSubject } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'enrolment', now } as const
  const interaction = await findInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { userId } = interaction.data
  auditSubject.userId = userId
  await limits.count({ address: call.address, subject: userId }, now, 'secondFactor')
  const factor = await findSecondFactor(db, userId)
  // Confirmed by another page meanwhile: that sign-in has the codes, this one begins again.
  if (!factor || factor.confirmedAt !== undefined) throw interactionExpired()
  const { sealed } = factor
  const step = findTotpStep(unsealSecret(service, userId, sealed), fields.code ?? '', now)
  if (step === undefined) {
    auditSubject.refusal = '401'
    return goTo(`${config.baseUrl}${INTERACTION_PATHS.enrolment}?step=${key.id}&problem=wrong`)
  }
  const isConfirmed = await confirmFactor(db, userId, { sealed, step, now })
  if (!isConfirmed || !(await redeemInteraction(db, key))) throw interactionExpired()
  const codes = mintRecoveryCodes(randomness)
  await replaceRecoveryCodes(db, userId, codes, now)
  call.log.info({ user: userId }, 'second factor on')
  const { headers = {} } = await redirectToConsent(service, interaction.data, call)
  const { location: next = '', 'set-cookie': setCookie = '' } = headers
  return buildPage({
    title: 'Keep these recovery codes',
    setCookie,
    content: html`<p>Each stands once for a code of your app, if you lose the device. They are shown now and never again.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<a class="button" href="${next}">I have kept them, continue</a>`,
  })
}

async function buildEnrolmentPage(
  service: EnrolmentService,
  session: PreAuthSession,
  interactionId: string,
  userId: string,
  isWrong: boolean,
): Promise<Reply> {
  const { config, db } = service
  const [user, factor] = await Promise.all([findUser(db, userId), findSecondFactor(db, userId)])
  if (!user || !factor || factor.confirmedAt !== undefined) throw interactionExpired()
  const secret = unsealSecret(service, userId, factor.sealed)
  const { default: qrcode } = await import('qrcode')
  const svg = await qrcode.toString(buildTotpUri(secret, user.email, 'Chartside'), {
    type: 'svg',
    errorCorrectionLevel: 'M',
  })
  return buildPage({
    title: 'Set up a second factor',
    status: isWrong ? 401 : 200,
    content: html`<p>Your practice, or this platform, asks for a code of an authenticator app at each sign-in. Scan this with
the app, or type the secret into it.</p>
<div class="qr">${{ html: svg }}</div>
<p><code id="totp-secret">${toBase32(secret)}</code></p>
<form method="post" action="${config.baseUrl}${INTERACTION_PATHS.enrolment}">
${hidden({ form_token: formTokenOf(session), step: interactionId })}
${textField({
  name: 'code',
  label: 'The six digits that the app shows',
  className: 'code',
  inputMode: 'numeric',
  autocomplete: 'one-time-code',
  maxLength: 16,
  problem: isWrong
    ? 'The code is wrong. Check the clock of the device, and use the next code.'
    : undefined,
  hasFocus: true,
})}
<button class="button">Turn it on</button>
</form>`,
  })
}

// The edge of /auth/sign-in/second-factor: the page asks for a code after the password was right. The
// interaction stays open while codes are wrong and is redeemed by the right one; wrong codes are
// counted by user. Contract §3.

import { checkSecondFactor } from '../../credentials/second-factor.ts'
import { buildPage, hidden, html, problemNote } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import type { Service } from '../../service.ts'
import { interactionExpired } from '../interaction/interaction.ts'
import {
  INTERACTION_PATHS,
  loadInteraction,
  redirectToConsent,
} from '../interaction/interaction-pages.ts'
import { findInteraction, redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, type PreAuthSession, verifyCsrf } from '../interaction/pre-auth-session.ts'

export async function showSecondFactorPage(
  { config, db }: Pick<Service, 'config' | 'db'>,
  call: PageCall,
): Promise<Reply> {
  const { session, interaction } = await loadInteraction({ config, db }, call, 'second_factor')
  return buildCodePage(config.baseUrl, session, interaction.id)
}

export async function verifySecondFactor(
  service: Pick<Service, 'config' | 'db' | 'limits' | 'randomness'>,
  call: PageCall,
): Promise<Reply> {
  const { config, db } = service
  const { fields, now, trail } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'second_factor', now } as const
  const interaction = await findInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { userId } = interaction.data
  trail.userId = userId
  const verdict = await checkSecondFactor(service, userId, fields.code, call)
  if (verdict === 'wrong' || verdict === 'missing') {
    const problem = 'The code is wrong, or was used before. Use the next one.'
    return buildCodePage(config.baseUrl, session, key.id, problem)
  }
  // `none`: a reset has deleted the factor, and the login method with it.
  if (verdict === 'none' || !(await redeemInteraction(db, key))) {
    throw interactionExpired()
  }
  return redirectToConsent(service, interaction.data, call)
}

const buildCodePage = (
  baseUrl: string,
  session: PreAuthSession,
  interactionId: string,
  problem?: string,
): Reply =>
  buildPage({
    title: 'Enter your code',
    status: problem === undefined ? 200 : 401,
    content: html`<p>Type the six digits that your authenticator app shows for Chartside, or one of your recovery codes.</p>
${problemNote(problem)}
<form method="post" action="${baseUrl}${INTERACTION_PATHS.second_factor}">
${hidden({ form_token: formTokenOf(session), step: interactionId })}
<label>Code
<input class="code" name="code" autocomplete="one-time-code" maxlength="40" required autofocus></label>
<button class="button">Continue</button>
</form>`,
  })

// The edge of /auth/sign-in/second-factor: the page asks for a code after the password was right. The
// interaction stays open while codes are wrong and is redeemed by the right one; wrong codes are
// counted by user. Contract §3.

import type { HasConfig } from '../../config/config.ts'
import { checkSecondFactor } from '../../credentials/second-factor.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import { RequestRefused } from '../../http/admission/request-refused.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { clockTime, textField } from '../../http/html/form-field.ts'
import { buildPage, goTo, hidden, html } from '../../http/html/page.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { interactionExpired } from '../interaction/interaction.ts'
import {
  INTERACTION_PATHS,
  loadInteraction,
  redirectToConsent,
} from '../interaction/interaction-pages.ts'
import { findInteraction, redeemInteraction } from '../interaction/interaction-store.ts'
import { formTokenOf, type PreAuthSession, verifyCsrf } from '../interaction/pre-auth-session.ts'
import { pageScriptUrl } from '../pages/page-script.ts'
import { parseWait } from '../pages/refused-sign-in.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasRandomness

export async function showSecondFactorPage(
  { config, db }: HasConfig & HasDatabase,
  call: PageCall,
): Promise<Reply> {
  const { session, interaction } = await loadInteraction({ config, db }, call, 'second_factor')
  return buildCodePage(config.baseUrl, session, interaction.id, call)
}

export async function verifySecondFactor(service: Parts, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const { fields, now, auditSubject } = call
  const session = verifyCsrf(config.baseUrl, call)
  const key = { id: fields.step ?? '', session, kind: 'second_factor', now } as const
  const interaction = await findInteraction(db, key)
  if (!interaction) throw interactionExpired()
  const { userId } = interaction.data
  auditSubject.userId = userId
  const page = `${config.baseUrl}${INTERACTION_PATHS.second_factor}?step=${key.id}`
  const refuse = (status: string, query: string) => {
    auditSubject.refusal = status
    return goTo(`${page}&${query}`)
  }
  let verdict: Awaited<ReturnType<typeof checkSecondFactor>>
  try {
    verdict = await checkSecondFactor(service, userId, fields.code, call)
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    return refuse('429', `wait_until=${now + Number(error.headers['retry-after']) * 1000}`)
  }
  if (verdict === 'wrong' || verdict === 'missing') return refuse('401', 'problem=wrong')
  // `none`: a reset has deleted the factor, and the login method with it.
  if (verdict === 'none' || !(await redeemInteraction(db, key))) {
    throw interactionExpired()
  }
  return redirectToConsent(service, interaction.data, call)
}

function buildCodePage(
  baseUrl: string,
  session: PreAuthSession,
  interactionId: string,
  { fields, now }: PageCall,
): Reply {
  const waitUntil = parseWait(fields.wait_until, now)
  const wrong =
    fields.problem === 'wrong'
      ? 'The code is wrong, or was used before. Use the next one.'
      : undefined
  const problem = waitUntil
    ? html`Too many wrong codes. Wait until ${clockTime(waitUntil)}, then use a new code.`
    : wrong
  return buildPage({
    title: 'Enter your code',
    status: waitUntil ? 429 : wrong ? 401 : 200,
    script: pageScriptUrl(baseUrl),
    content: html`<p>Type the six digits that your authenticator app shows for Chartside, or one of your recovery codes.</p>
<form method="post" action="${baseUrl}${INTERACTION_PATHS.second_factor}">
${hidden({ form_token: formTokenOf(session), step: interactionId })}
${textField({
  name: 'code',
  label: 'Code',
  className: 'code',
  autocomplete: 'one-time-code',
  maxLength: 40,
  problem,
  hasFocus: true,
})}
<button class="button">Continue</button>
</form>
<details><summary>No app and no code?</summary><p>An administrator of your practice can reset how you sign in. A passkey needs no code: begin again and choose it.</p></details>`,
  })
}

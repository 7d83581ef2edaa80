// The page that asks for a code of the second factor, after the password was right. The step lasts
// while codes are wrong and is taken by the right one; how many may be wrong is limited by person.
// Contract §3.

import { checkSecondFactor } from '../../credentials/second-factor.ts'
import { buildPage, goTo, hidden, html, problemNote } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { Service } from '../../service.ts'
import { redirectToConsent } from '../interaction/consent-http.ts'
import type { AuthenticatedUser } from '../interaction/interaction.ts'
import { findStep, insertStep, redeemStep } from '../interaction/interaction-store.ts'
import {
  type Browser,
  createPreAuthSession,
  findPreAuthSession,
  formTokenOf,
  verifyCsrf,
} from '../interaction/pre-auth-session.ts'

const PATH = '/auth/sign-in/second-factor'

/** The password was right and a code is needed. The browser gets a new secret here already. */
export async function goToSecondFactor(
  { config, db, randomness }: Service,
  proven: AuthenticatedUser,
  now: number,
): Promise<Reply> {
  const browser = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(insertStep(id, browser, 'second_factor', proven, now))
  return goTo(`${config.baseUrl}${PATH}?step=${id}`, browser.setCookie)
}

export async function showSecondFactorPage(service: Service, call: PageCall): Promise<Reply> {
  const browser = findPreAuthSession(service.config.baseUrl, call.cookies)
  const id = call.fields.step ?? ''
  if (!browser || !(await findStep(service.db, id, browser, 'second_factor', call.now)))
    throw over()
  return codePage(service, browser, id)
}

export async function sendCode(service: Service, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const { now } = call
  const browser = verifyCsrf(config.baseUrl, call)
  const id = call.fields.step ?? ''
  const step = await findStep(db, id, browser, 'second_factor', now)
  if (!step) throw over()
  call.trail.userId = step.data.userId
  const verdict = await checkSecondFactor(service, step.data.userId, call.fields.code, call)
  if (verdict === 'wrong' || verdict === 'missing') {
    return codePage(
      service,
      browser,
      id,
      'The code is wrong, or was used before. Use the next one.',
    )
  }
  // `none`: an administrator has reset the person meanwhile; the old method is gone with it.
  if (verdict === 'none' || !(await redeemStep(db, id, browser, 'second_factor', now))) throw over()
  return redirectToConsent(service, step.data, now)
}

function codePage({ config }: Service, browser: Browser, step: string, problem?: string): Reply {
  return buildPage({
    title: 'One more code',
    status: problem === undefined ? 200 : 401,
    content: html`<p>Type the six digits that your authenticator app shows for Chartside.</p>
${problemNote(problem)}
<form method="post" action="${config.baseUrl}${PATH}">
${hidden({ form_token: formTokenOf(browser), step })}
<label>Code
<input class="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required autofocus></label>
<button class="button">Go on</button>
</form>`,
  })
}

const over = () =>
  new ApiError('used_already', 'This step is over: it was done, or is older than ten minutes.')

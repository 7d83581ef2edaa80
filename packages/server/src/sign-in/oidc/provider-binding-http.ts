// The question before an account at the provider becomes a way to sign in. Whoever is signed in there
// comes back from any address of ours without a click, one that a stranger has sent too; so nothing
// is bound before they have read to whom. Security U06, login CSRF.

import { buildPage, goTo, hidden, html } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { Service } from '../../service.ts'
import type { Binding } from '../interaction/interaction.ts'
import { findStep, insertStep, redeemStep } from '../interaction/interaction-store.ts'
import {
  createPreAuthSession,
  findPreAuthSession,
  formTokenOf,
  verifyCsrf,
} from '../interaction/pre-auth-session.ts'
import { acceptWith, invitationOver } from '../invitation/acceptance.ts'
import { findSettable } from '../invitation/invitation-http.ts'

const PATH = '/auth/invitation/provider'

/** As on every way to a question, the browser gets a new secret. */
export async function goToBinding(
  { config, db, randomness }: Service,
  binding: Binding,
  now: number,
): Promise<Reply> {
  const browser = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(insertStep(id, browser, 'binding', binding, now))
  return goTo(`${config.baseUrl}${PATH}?step=${id}`, browser.setCookie)
}

export async function showBinding(service: Service, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const browser = findPreAuthSession(config.baseUrl, call.cookies)
  const step = browser && (await findStep(db, call.fields.step ?? '', browser, 'binding', call.now))
  if (!browser || !step) throw over()
  const { invitationId, address } = step.data
  const { user } = await loadOpen(service, invitationId, call.now)
  const account =
    address === undefined ? html`Your account` : html`Your account <strong>${address}</strong>`
  return buildPage({
    title: `Sign in with ${config.oidcName} from now on?`,
    content: html`<p>${account} at ${config.oidcName} would sign in here as <strong>${user.name}</strong>,
${user.email}. If that is not you, say no: somebody else has sent you here.</p>
<form method="post" action="${config.baseUrl}${PATH}">
${hidden({ form_token: formTokenOf(browser), step: step.id })}
<button class="button" name="answer" value="yes">Yes, that is me</button>
<button class="button second" name="answer" value="no">No</button>
</form>`,
  })
}

export async function bindAccount(service: Service, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  const { now, fields } = call
  const browser = verifyCsrf(config.baseUrl, call)
  const step = await redeemStep(db, fields.step ?? '', browser, 'binding', now)
  if (!step) throw over()
  const { invitationId, subject } = step.data
  const opened = await loadOpen(service, invitationId, now)
  call.trail.userId = opened.user.id
  if (fields.answer !== 'yes') {
    call.log.warn({ user: opened.user.id }, 'binding of a provider account refused')
    return buildPage({
      title: 'Nothing was changed',
      content: html`<p>You can close this page.</p>`,
    })
  }
  const id = newId('mth', now, randomness)
  const method = { id, kind: 'oidc', label: config.oidcName, subject } as const
  return acceptWith(service, opened, method, now)
}

async function loadOpen(service: Service, invitationId: string, now: number) {
  const opened = await findSettable(service, invitationId, now)
  if (!opened) throw invitationOver()
  return opened
}

const over = () =>
  new ApiError('used_already', 'This step is over: it was done, or is older than ten minutes.')

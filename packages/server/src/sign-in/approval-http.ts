// The last step in the browser: somebody has proven who they are, and says whether it is for the
// client that shows the same code. Only then does a client that waits get anything; so nobody is
// signed in for a stranger who has sent them an address. Contract §3, security U06.
import { ApiError } from '../errors.ts'
import type { PageCall, Reply } from '../http/route.ts'
import { newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import type { User } from '../users/user.ts'
import { findUser, updateMethodLastUsed } from '../users/user-store.ts'
import { admitForm, type Browser, findBrowser, formTokenOf, newBrowser } from './browser.ts'
import type { BrowserStep, Proven } from './browser-step.ts'
import { findStep, insertStep, redeemStep } from './browser-step-store.ts'
import { matchCodeOf } from './errand-http.ts'
import { buildPage, goTo, hidden, html } from './page.ts'
import { approveFlow, refuseFlow } from './sign-in-flow-store.ts'

/**
 * Somebody has proven who they are: the browser gets a new secret, so that whoever may have set the
 * old one has nothing, and goes on to the question.
 */
export async function goToApproval(
  { config, db, randomness }: Service,
  proven: Proven,
  now: number,
): Promise<Reply> {
  const browser = newBrowser(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(
    insertStep(id, browser, 'approval', proven, now),
    updateMethodLastUsed(proven.methodId, now),
  )
  return goTo(`${config.baseUrl}/auth/sign-in/approve?step=${id}`, browser.setCookie)
}

export async function showApproval(service: Service, call: PageCall): Promise<Reply> {
  const browser = findBrowser(service.config.baseUrl, call.cookies)
  const stepId = call.fields.step ?? ''
  const step = browser && (await findStep(service.db, stepId, browser, 'approval', call.now))
  if (!browser || !step) throw over()
  return approvalPage(service, browser, step, await loadUser(service, step.data.userId))
}

export async function approve(service: Service, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const browser = admitForm(config.baseUrl, call)
  const step = await redeemStep(db, call.fields.step ?? '', browser, 'approval', call.now)
  if (!step) throw over()
  const { errand, userId } = step.data
  const user = await loadUser(service, userId)
  if (errand.for !== 'client') throw over()
  if (call.fields.answer !== 'yes') {
    await db.write(refuseFlow(errand.sessionHash, call.now))
    call.log.warn({ user: userId }, 'sign-in for a client refused by its person')
    return buildPage({
      title: 'Nothing was signed in',
      content: html`<p>You can close this page. If you did not begin a sign-in yourself, somebody else wanted
you to sign in for them; tell your administrator.</p>`,
    })
  }
  if (!(await approveFlow(db, errand.sessionHash, userId, call.now))) throw over()
  call.log.info({ user: userId }, 'sign-in approved')
  return buildPage({
    title: 'You are signed in',
    content: html`<p>As <strong>${user.name}</strong>, in the window that you came from. You can close this page.</p>`,
  })
}

async function loadUser({ db }: Service, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw over()
  return user
}

function approvalPage(
  { config }: Service,
  browser: Browser,
  { id, data }: BrowserStep<'approval'>,
  user: User,
): Reply {
  const action = `${config.baseUrl}/auth/sign-in/approve`
  return buildPage({
    title: 'Is it the same code?',
    content: html`<p>You are <strong>${user.name}</strong>, ${user.email}.</p>
<div class="match"><p>The window that you came from shows this code:</p>
<output id="match-code">${matchCodeOf(data.errand) ?? ''}</output></div>
<form method="post" action="${action}">
${hidden({ form_token: formTokenOf(browser), step: id })}
<button class="button" name="answer" value="yes" autofocus>Yes, sign me in there</button>
<button class="button second" name="answer" value="no">No, it is another code or none</button>
</form>`,
  })
}

const over = () =>
  new ApiError('used_already', 'This step is over: it was done, or is older than ten minutes.')

// The last step in the browser: somebody has proven who they are, and says whether it is for the
// client that shows the same code. Only then does a client that waits get anything; so nobody is
// signed in for a stranger who has sent them an address. Contract §3, security U06.

import { acceptInvitation } from '../../credentials/invitation-store.ts'
import { buildPage, goTo, type Html, hidden, html } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { User } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'
import { findUser, updateMethodLastUsedStatement } from '../../users/user-store.ts'
import { approveFlow, refuseFlow } from '../client-flow/sign-in-flow-store.ts'
import { acceptedPage, invitationOver } from '../invitation/acceptance.ts'
import { loadJoinable } from '../invitation/invitation-http.ts'
import type { AuthenticatedUser, SignInIntent } from './interaction.ts'
import { findStep, insertStep, redeemStep } from './interaction-store.ts'
import {
  type Browser,
  createPreAuthSession,
  findPreAuthSession,
  formTokenOf,
  verifyCsrf,
} from './pre-auth-session.ts'
import { matchCodeOf } from './sign-in-intent-http.ts'

/**
 * Somebody has proven who they are: the browser gets a new secret, so that whoever may have set the
 * old one has nothing, and goes on to the question.
 */
export async function redirectToConsent(
  { config, db, randomness }: Service,
  proven: AuthenticatedUser,
  now: number,
): Promise<Reply> {
  const browser = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(
    insertStep(id, browser, 'approval', proven, now),
    updateMethodLastUsedStatement(proven.methodId, now),
  )
  return goTo(`${config.baseUrl}/auth/sign-in/approve?step=${id}`, browser.setCookie)
}

export async function showApproval(service: Service, call: PageCall): Promise<Reply> {
  const browser = findPreAuthSession(service.config.baseUrl, call.cookies)
  const stepId = call.fields.step ?? ''
  const step = browser && (await findStep(service.db, stepId, browser, 'approval', call.now))
  if (!browser || !step) throw over()
  const user = await loadUser(service, step.data.userId)
  const { errand } = step.data
  const question =
    errand.for === 'client'
      ? clientQuestion(errand, user)
      : await loadInvitationQuestion(service, errand.invitationId, user, call.now)
  return approvalPage(service, browser, step.id, question)
}

export async function approve(service: Service, call: PageCall): Promise<Reply> {
  const browser = verifyCsrf(service.config.baseUrl, call)
  const step = await redeemStep(service.db, call.fields.step ?? '', browser, 'approval', call.now)
  if (!step) throw over()
  call.trail.userId = step.data.userId
  const isApproved = call.fields.answer === 'yes'
  const { errand } = step.data
  if (errand.for === 'client') {
    return isApproved
      ? approveClient(service, step.data, call)
      : refuseClient(service, step.data, call)
  }
  if (!isApproved) return buildPage({ title: 'Nothing was changed', content: CLOSE })
  return joinAccount(service, step.data, errand.invitationId, call.now)
}

async function approveClient(
  service: Service,
  proven: AuthenticatedUser,
  call: PageCall,
): Promise<Reply> {
  const { errand, userId, methodId } = proven
  const user = await loadUser(service, userId)
  if (errand.for !== 'client') throw over()
  const { sessionHash } = errand
  const { now } = call
  if (!(await approveFlow(service.db, { sessionHash, userId, methodId, now }))) throw over()
  call.log.info({ user: userId }, 'sign-in approved')
  return buildPage({
    title: 'You are signed in',
    content: html`<p>As <strong>${user.name}</strong>, in the window that you came from. You can close this page.</p>`,
  })
}

async function refuseClient(
  { db }: Service,
  { errand, userId }: AuthenticatedUser,
  call: PageCall,
): Promise<Reply> {
  if (errand.for === 'client') await db.write(refuseFlow(errand.sessionHash, call.now))
  call.log.warn({ user: userId }, 'sign-in for a client refused by its person')
  return buildPage({
    title: 'Nothing was signed in',
    content: html`<p>You can close this page. If you did not begin a sign-in yourself, somebody else wanted
you to sign in for them; tell your administrator.</p>`,
  })
}

async function joinAccount(
  service: Service,
  { userId, methodId }: AuthenticatedUser,
  invitationId: string,
  now: number,
): Promise<Reply> {
  const { invitation, user, accountName } = await loadJoinable(service, invitationId, now)
  if (user.id !== userId) throw invitationOver()
  const method = { id: methodId }
  if (!(await acceptInvitation(service.db, { invitation, method, now }))) throw invitationOver()
  service.log.info({ user: userId }, 'invitation accepted')
  return acceptedPage(accountName)
}

async function loadUser({ db }: Service, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw over()
  return user
}

const CLOSE = html`<p>You can close this page.</p>`

interface Question {
  readonly title: string
  readonly text: Html
  readonly yes: string
  readonly no: string
}

const clientQuestion = (errand: SignInIntent, user: User): Question => ({
  title: 'Is it the same code?',
  text: html`<p>You are <strong>${user.name}</strong>, ${user.email}.</p>
<div class="match"><p>The window that you came from shows this code:</p>
<output id="match-code">${matchCodeOf(errand) ?? ''}</output>
<p>That window is the browser extension or the program that you started yourself. If the code stands on a web page or in a
message, it is somebody else’s: say no.</p></div>`,
  yes: 'Yes, sign me in there',
  no: 'No, it is another code or none',
})

async function loadInvitationQuestion(
  service: Service,
  invitationId: string,
  user: User,
  now: number,
): Promise<Question> {
  const opened = await loadJoinable(service, invitationId, now)
  if (opened.user.id !== user.id) {
    throw new ApiError('not_allowed', 'This invitation is for another person than the one you are.')
  }
  const { accountName = '', role = '' } = opened
  return {
    title: `Join ${accountName}?`,
    text: html`<p>You are <strong>${user.name}</strong>, ${user.email}. In <strong>${accountName}</strong> you are going
to be ${role}.</p>`,
    yes: 'Join',
    no: 'Do not join',
  }
}

function approvalPage(
  { config }: Service,
  browser: Browser,
  step: string,
  { title, text, yes, no }: Question,
): Reply {
  return buildPage({
    title,
    content: html`${text}
<form method="post" action="${config.baseUrl}/auth/sign-in/approve">
${hidden({ form_token: formTokenOf(browser), step })}
<button class="button" name="answer" value="yes">${yes}</button>
<button class="button second" name="answer" value="no">${no}</button>
</form>`,
  })
}

const over = () =>
  new ApiError('used_already', 'This step is over: it was done, or is older than ten minutes.')

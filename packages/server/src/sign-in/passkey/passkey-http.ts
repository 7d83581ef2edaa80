// Signing in with a passkey, and adding one at a one-time address. The challenge belongs to one browser
// and one step, which is taken before the answer is looked at. Contract §3, WebAuthn Level 3.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import { findMethodBySubject, updateMethodDetails } from '../../credentials/login-method-store.ts'
import {
  hasPasskeys,
  newPasskeyOptions,
  parseAnswer,
  type StoredPasskey,
  signInOptions,
  userHandleOf,
  verifyNewPasskey,
  verifySignIn,
} from '../../credentials/passkey.ts'
import { EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { Service } from '../../service.ts'
import { redirectToConsent } from '../interaction/consent-http.ts'
import { insertStep, redeemStep } from '../interaction/interaction-store.ts'
import {
  type Browser,
  deriveFor,
  formTokenOf,
  verifyCsrf,
} from '../interaction/pre-auth-session.ts'
import type { LoadedErrand } from '../interaction/sign-in-intent-http.ts'
import { acceptWith } from '../invitation/acceptance.ts'
import { loadSettable } from '../invitation/invitation-http.ts'
import { passkeyScriptUrl } from './passkey-script-http.ts'

export interface PasskeyForm {
  readonly form: Html
  readonly script?: string
}

/** The form by which a page signs in with a passkey; hidden until the script shows it. */
export async function makeSignInForm(
  service: Service,
  browser: Browser,
  { errand, fields }: LoadedErrand,
  now: number,
): Promise<PasskeyForm> {
  const { config, db, randomness } = service
  if (!hasPasskeys(config.baseUrl)) return { form: EMPTY_HTML }
  const step = newId('stp', now, randomness)
  await db.write(insertStep(step, browser, 'passkey', { errand }, now))
  const options = signInOptions(config.baseUrl, deriveFor(browser, step, 'passkey'))
  return passkeyForm(config.baseUrl, {
    action: '/auth/sign-in/passkey',
    options,
    carried: { ...fields, step, form_token: formTokenOf(browser) },
    label: 'Sign in with a passkey',
  })
}

export async function makeNewPasskeyForm(
  service: Service,
  browser: Browser,
  { fields }: LoadedErrand,
  { invitation, user }: OpenInvitation,
  now: number,
): Promise<PasskeyForm> {
  const { config, db, randomness } = service
  if (!hasPasskeys(config.baseUrl)) return { form: EMPTY_HTML }
  const step = newId('stp', now, randomness)
  const data = { invitationId: invitation.id }
  await db.write(insertStep(step, browser, 'new_passkey', data, now))
  const options = newPasskeyOptions(config.baseUrl, deriveFor(browser, step, 'passkey'), user)
  return passkeyForm(config.baseUrl, {
    action: '/auth/invitation/passkey',
    options,
    carried: { ...fields, step, form_token: formTokenOf(browser) },
    label: 'Create a passkey',
  })
}

function passkeyForm(
  baseUrl: string,
  of: { action: string; options: object; carried: Record<string, string>; label: string },
): PasskeyForm {
  return {
    script: passkeyScriptUrl(baseUrl),
    form: html`<form method="post" action="${baseUrl}${of.action}" data-passkey="${JSON.stringify(of.options)}" hidden>
${hidden({ ...of.carried, response: '' })}
<p class="problem" role="alert" hidden></p>
<button class="button second">${of.label}</button>
</form>`,
  }
}

export async function signInWithPasskey(service: Service, call: PageCall): Promise<Reply> {
  const { config, db } = service
  const { now, fields } = call
  const browser = verifyCsrf(config.baseUrl, call)
  const step = await redeemStep(db, fields.step ?? '', browser, 'passkey', now)
  const answer = parseAnswer<AuthenticationResponseJSON>(fields.response)
  const found = answer && (await findMethodBySubject<StoredPasskey>(db, 'passkey', answer.id))
  if (!step || !answer || !found?.details) throw notProven()
  const { method, details } = found
  const challenge = deriveFor(browser, step.id, 'passkey')
  const proven =
    answer.response.userHandle === userHandleOf(method.userId)
      ? await verifySignIn(config.baseUrl, challenge, answer, details)
      : undefined
  // A copy of the key with an older counter loses against the one that was used meanwhile.
  if (!proven || !(await updateMethodDetails(db, method.id, details, proven))) throw notProven()
  const { userId, id: methodId } = method
  call.trail.userId = userId
  return redirectToConsent(service, { errand: step.data.errand, userId, methodId }, now)
}

export async function addPasskey(service: Service, call: PageCall): Promise<Reply> {
  const { config, db, randomness } = service
  const { now, fields } = call
  const browser = verifyCsrf(config.baseUrl, call)
  const { invitation } = await loadSettable(service, call)
  const step = await redeemStep(db, fields.step ?? '', browser, 'new_passkey', now)
  const answer = parseAnswer<RegistrationResponseJSON>(fields.response)
  if (step?.data.invitationId !== invitation.invitation.id || !answer) throw notProven()
  const challenge = deriveFor(browser, step.id, 'passkey')
  const made = await verifyNewPasskey(config.baseUrl, challenge, answer)
  if (!made) throw notProven()
  call.trail.userId = invitation.user.id
  const method = {
    id: newId('mth', now, randomness),
    kind: 'passkey',
    label: made.isSynced ? 'Passkey, synchronised' : 'Passkey of one device',
    subject: made.id,
    details: JSON.stringify(made.passkey),
  } as const
  return acceptWith(service, invitation, method, now)
}

const notProven = () =>
  new ApiError(
    'sign_in_failed',
    'The passkey is not known here, or its answer was not for this page. Open the page again.',
  )

// The page on which the holder of an invitation chooses a login method: a form for a password, one for
// a passkey, a link to the provider. Inserts the interaction of its passkey form; changes nothing
// else. Contract §4 (Members).

import type { Config, HasConfig } from '../../config/config.ts'
import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PASSWORD_PROBLEMS,
  type PasswordProblem,
} from '../../credentials/login-method.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Reply } from '../../http/call.ts'
import { passwordField } from '../../http/html/form-field.ts'
import { buildPage, EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import {
  listSignInProviders,
  type SignInProvider,
} from '../../identity-providers/identity-provider-store.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { formTokenOf, type PreAuthSession } from '../interaction/pre-auth-session.ts'
import { pageScriptUrl } from './page-script.ts'
import { newPasskeyForm } from './passkey-form.ts'
import { accountProviderLinks, hasProvider, providerLink } from './provider-link.ts'

export interface NewMethodRequest {
  readonly session: PreAuthSession
  /** The token of the invitation, which every form carries. */
  readonly token: string
  readonly opened: OpenInvitation
  readonly now: number
}

/** @param problem why the password that was sent before is refused */
export async function showNewMethodForms(
  service: HasConfig & HasDatabase & HasRandomness,
  request: NewMethodRequest,
  problem?: string,
): Promise<Reply> {
  const { config } = service
  const { session, token, opened } = request
  const passkey = await newPasskeyForm(service, request)
  const { accountId, purpose, userId } = opened.invitation
  const ofAccount =
    purpose === 'membership' && accountId !== undefined ? { accountId } : { memberId: userId }
  const providers = await listSignInProviders(service.db, ofAccount)
  const required = purpose === 'membership' ? providers.filter(({ required }) => required) : []
  if (required.length > 0) return showRequired(config, request, required)
  const isLinked = hasProvider(config) || providers.length > 0
  const password = html`<form method="post" action="${config.baseUrl}/auth/invitation/password">
${hidden({ token, form_token: formTokenOf(session) })}
<input type="email" name="email" value="${opened.user.email}" autocomplete="username" hidden>
${passwordField({
  name: 'password',
  label: 'New password',
  autocomplete: 'new-password',
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  problem,
  hasFocus: true,
})}
<p class="hint">${String(MIN_PASSWORD_LENGTH)} characters or more; a few words make a good one.</p>
<button class="button">Set password</button>
</form>
${isLinked ? html`<p class="or">or</p>` : html`<p class="or" hidden>or</p>`}`
  return buildPage({
    title: 'Choose how you sign in',
    status: problem === undefined ? 200 : 400,
    setCookie: session.setCookie,
    script: pageScriptUrl(config.baseUrl),
    content: html`${introduction(opened)}
${config.passwordSignIn === 'on' ? password : EMPTY_HTML}
<div class="others">${passkey}
${providerLink(config, { token }, 'Use')}
${accountProviderLinks(config, { token }, 'Use', providers)}</div>`,
  })
}

/** An account that requires its provider is reached in no other way. */
const showRequired = (
  config: Config,
  { session, token, opened }: NewMethodRequest,
  providers: readonly SignInProvider[],
): Reply =>
  buildPage({
    title: 'Sign in at your practice',
    setCookie: session.setCookie,
    content: html`${introduction(opened)}
<div class="others">${accountProviderLinks(config, { token }, 'Continue with', providers)}</div>`,
  })

/** Says what is wrong with a new password, by the word in the address of the page. */
export const describePasswordProblem = (problem = ''): string | undefined =>
  Object.hasOwn(PASSWORD_PROBLEMS, problem)
    ? PASSWORD_PROBLEMS[problem as PasswordProblem]
    : undefined

function introduction({ invitation, user, accountName, role }: OpenInvitation): Html {
  const who = html`<strong>${user.name}</strong>, ${user.email}`
  switch (invitation.purpose) {
    case 'membership':
      return html`<p>Welcome, ${who}. You are invited to <strong>${accountName ?? ''}</strong>; your role there: ${role ?? ''}.</p>`
    case 'reset':
      return html`<p>${who}: an administrator has reset how you sign in. What you set here takes the place of every
password, passkey and second factor of before, and ends everything that you are signed in to.</p>`
    case 'method':
      return html`<p>${who}: add a way to sign in. A new password takes the place of the one before.</p>`
  }
}

// The page on which the holder of an invitation chooses a login method: a form for a password, one for
// a passkey, a link to the provider. Inserts the interaction of its passkey form; changes nothing
// else. Contract §4 (Members).

import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../credentials/login-method.ts'
import {
  buildPage,
  EMPTY_HTML,
  type Html,
  hidden,
  html,
  problemNote,
} from '../../http/html/page.ts'
import type { Reply } from '../../http/route.ts'
import type { Service } from '../../service.ts'
import { formTokenOf, type PreAuthSession } from '../interaction/pre-auth-session.ts'
import { newPasskeyForm } from './passkey-form.ts'
import { providerLink } from './provider-link.ts'

export interface NewMethodRequest {
  readonly session: PreAuthSession
  /** The token of the invitation, which every form carries. */
  readonly token: string
  readonly opened: OpenInvitation
  readonly now: number
}

/** @param problem why the password that was sent before is refused */
export async function showNewMethodForms(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  request: NewMethodRequest,
  problem?: string,
): Promise<Reply> {
  const { config } = service
  const { session, token, opened } = request
  const passkey = await newPasskeyForm(service, request)
  const password = html`<form method="post" action="${config.baseUrl}/auth/invitation/password">
${hidden({ token, form_token: formTokenOf(session) })}
<input type="email" name="email" value="${opened.user.email}" autocomplete="username" hidden>
<label>New password
<input type="password" name="password" autocomplete="new-password" minlength="${String(MIN_PASSWORD_LENGTH)}" maxlength="${String(MAX_PASSWORD_LENGTH)}" required autofocus></label>
<button class="button">Set password</button>
</form>`
  return buildPage({
    title: 'Choose how you sign in',
    status: problem === undefined ? 200 : 400,
    setCookie: session.setCookie,
    ...(passkey.script === undefined ? {} : { script: passkey.script }),
    content: html`${introduction(opened)}
${problemNote(problem)}
${config.passwordSignIn === 'on' ? password : EMPTY_HTML}
<div class="others">${passkey.form}
${providerLink(config, { token }, 'Use')}</div>`,
  })
}

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

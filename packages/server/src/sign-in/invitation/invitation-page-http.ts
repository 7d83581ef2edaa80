// The page behind a one-time address: somebody who is invited, was reset, or adds a way to sign in
// chooses how. Whoever can sign in already does so instead. Looking changes nothing, so a mail
// program that follows addresses does no harm. Contract §4 (Members).

import { setsMethod } from '../../credentials/invitation.ts'
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
import type { PageCall, Reply } from '../../http/route.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { Service } from '../../service.ts'
import {
  type Browser,
  createPreAuthSession,
  findPreAuthSession,
  formTokenOf,
  verifyCsrf,
} from '../interaction/pre-auth-session.ts'
import { type LoadedErrand, loadSignInIntent } from '../interaction/sign-in-intent-http.ts'
import { providerLink } from '../oidc/identity-provider.ts'
import { makeNewPasskeyForm } from '../passkey/passkey-http.ts'
import { signInPage } from '../password/sign-in-page-http.ts'
import { acceptWith } from './acceptance.ts'
import { loadSettable } from './invitation-http.ts'

export async function showInvitation(service: Service, call: PageCall): Promise<Reply> {
  const { config, randomness } = service
  const loaded = await loadSignInIntent(service, { token: call.fields.token ?? '' }, call)
  const browser =
    findPreAuthSession(config.baseUrl, call.cookies) ??
    createPreAuthSession(config.baseUrl, randomness)
  const { invitation: opened } = loaded
  return opened && setsMethod(opened.invitation, opened.hasMethods)
    ? setUpPage(service, browser, loaded, opened, call.now)
    : signInPage(service, browser, loaded, call.now)
}

export async function setPassword(service: Service, call: PageCall): Promise<Reply> {
  const browser = verifyCsrf(service.config.baseUrl, call)
  const loaded = await loadSettable(service, call)
  const { password = '' } = call.fields
  const problem = whyRefused(password)
  if (problem) return setUpPage(service, browser, loaded, loaded.invitation, call.now, problem)
  call.trail.userId = loaded.invitation.user.id
  const method = {
    id: newId('mth', call.now, service.randomness),
    kind: 'password',
    label: 'Password',
    passwordHash: await service.passwords.hash(password),
  } as const
  return acceptWith(service, loaded.invitation, method, call.now)
}

function whyRefused(password: string): string | undefined {
  const { length } = [...password]
  if (length < MIN_PASSWORD_LENGTH) {
    return `Choose a password of ${MIN_PASSWORD_LENGTH} characters or more; a few words make a good one.`
  }
  return length > MAX_PASSWORD_LENGTH ? 'This password is too long.' : undefined
}

async function setUpPage(
  service: Service,
  browser: Browser,
  loaded: LoadedErrand,
  opened: OpenInvitation,
  now: number,
  problem?: string,
): Promise<Reply> {
  const { config } = service
  const { fields } = loaded
  const passkey = await makeNewPasskeyForm(service, browser, loaded, opened, now)
  const carried = hidden({ ...fields, form_token: formTokenOf(browser) })
  const password = html`<form method="post" action="${config.baseUrl}/auth/invitation/password">
${carried}
<input type="email" name="email" value="${opened.user.email}" autocomplete="username" hidden>
<label>New password
<input type="password" name="password" autocomplete="new-password" minlength="${String(MIN_PASSWORD_LENGTH)}" maxlength="${String(MAX_PASSWORD_LENGTH)}" required autofocus></label>
<button class="button">Set password</button>
</form>`
  return buildPage({
    title: 'Choose how you sign in',
    status: problem === undefined ? 200 : 400,
    setCookie: browser.setCookie,
    ...(passkey.script === undefined ? {} : { script: passkey.script }),
    content: html`${introduction(opened)}
${problemNote(problem)}
${config.passwordSignIn === 'on' ? password : EMPTY_HTML}
<div class="others">${passkey.form}
${providerLink(config, fields, 'Use')}</div>`,
  })
}

function introduction({ invitation, user, accountName, role }: OpenInvitation): Html {
  const who = html`<strong>${user.name}</strong>, ${user.email}`
  switch (invitation.purpose) {
    case 'membership':
      return html`<p>Welcome, ${who}. You are invited to <strong>${accountName ?? ''}</strong> as ${role ?? ''}.</p>`
    case 'reset':
      return html`<p>${who}: an administrator has reset how you sign in. What you set here takes the place of every
password, passkey and second factor of before, and ends everything that you are signed in to.</p>`
    case 'method':
      return html`<p>${who}: add a way to sign in. A new password takes the place of the one before.</p>`
  }
}

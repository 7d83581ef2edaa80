// The sign-in page: the match code and a form for each login method. GET /auth/sign-in shows it, and so
// does a refused password, with the same text for every address. Inserts the interaction of its
// passkey form; changes nothing else. Contract §3, security U06, U07.

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
import { type LoadedIntent, matchCodeOf } from '../interaction/sign-in-intent.ts'
import { passkeySignInForm } from './passkey-form.ts'
import { providerLink } from './provider-link.ts'

/** A sign-in that was refused, shown again. */
export interface RefusedSignIn {
  readonly problem?: string
  readonly email?: string
  readonly status?: number
}

export async function showSignInForms(
  service: Pick<Service, 'config' | 'db' | 'randomness'>,
  session: PreAuthSession,
  loaded: LoadedIntent,
  now: number,
  { problem, email = '', status = 200 }: RefusedSignIn = {},
): Promise<Reply> {
  const { config } = service
  const passkey = await passkeySignInForm(service, session, loaded, now)
  const carried = hidden({ ...loaded.fields, form_token: formTokenOf(session) })
  const password = html`<form method="post" action="${config.baseUrl}/auth/sign-in/password">
${carried}
<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="username" maxlength="254" required autofocus></label>
<label>Password
<input type="password" name="password" autocomplete="current-password" maxlength="1024" required></label>
<button class="button">Sign in</button>
</form>`
  return buildPage({
    title: titleOf(loaded),
    status,
    setCookie: session.setCookie,
    ...(passkey.script === undefined ? {} : { script: passkey.script }),
    content: html`${matchPanel(loaded)}
${problemNote(problem)}
${config.passwordSignIn === 'on' ? password : EMPTY_HTML}
<div class="others">${passkey.form}
${providerLink(config, loaded.fields, 'Sign in with')}</div>`,
  })
}

const titleOf = ({ invitation }: LoadedIntent): string =>
  invitation ? `Sign in to join ${invitation.accountName ?? 'the account'}` : 'Sign in'

function matchPanel({ intent }: LoadedIntent): Html {
  const code = matchCodeOf(intent)
  if (code === undefined) return EMPTY_HTML
  return html`<div class="match"><p>The window that you came from shows this code:</p>
<output id="match-code">${code}</output>
<p>If it shows another code, or none, close this page: another person may have sent you here.</p></div>`
}

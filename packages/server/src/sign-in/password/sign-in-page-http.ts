// The sign-in page: what a client has opened in a tab. Shows the match code and the ways to sign in,
// and takes the password. Plain forms; the answer to a wrong password is the same page for every
// address. Contract §3, security U06, U07.

import { checkSecondFactor } from '../../credentials/second-factor.ts'
import {
  buildPage,
  EMPTY_HTML,
  type Html,
  hidden,
  html,
  problemNote,
} from '../../http/html/page.ts'
import type { PageCall, Reply } from '../../http/route.ts'
import { ApiError } from '../../kernel/errors.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'
import { redirectToConsent } from '../interaction/consent-http.ts'
import {
  type Browser,
  createPreAuthSession,
  findPreAuthSession,
  formTokenOf,
  verifyCsrf,
} from '../interaction/pre-auth-session.ts'
import {
  type LoadedErrand,
  loadSignInIntent,
  matchCodeOf,
} from '../interaction/sign-in-intent-http.ts'
import { admitToSignIn } from '../invitation/invitation-http.ts'
import { providerLink } from '../oidc/identity-provider.ts'
import { makeSignInForm } from '../passkey/passkey-http.ts'
import { admitCredentials } from './credentials.ts'
import { goToSecondFactor } from './second-factor-page-http.ts'

export async function showSignInPage(service: Service, call: PageCall): Promise<Reply> {
  const { config, randomness } = service
  const loaded = await loadSignInIntent(service, call.fields, call)
  admitToSignIn(loaded)
  const browser =
    findPreAuthSession(config.baseUrl, call.cookies) ??
    createPreAuthSession(config.baseUrl, randomness)
  return signInPage(service, browser, loaded, call.now)
}

export async function signInWithPassword(service: Service, call: PageCall): Promise<Reply> {
  const browser = verifyCsrf(service.config.baseUrl, call)
  const loaded = await loadSignInIntent(service, call.fields, call)
  admitToSignIn(loaded)
  const { email = '', password = '' } = call.fields
  try {
    const { user, methodId } = await admitCredentials(service, { email, password }, call)
    call.trail.userId = user.id
    const proven = { errand: loaded.errand, userId: user.id, methodId }
    const verdict = await checkSecondFactor(service, user.id, undefined, call)
    const goOn = verdict === 'none' ? redirectToConsent : goToSecondFactor
    return await goOn(service, proven, call.now)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'wrong_credentials') throw error
    call.log.warn({ traceId: call.traceId }, 'sign-in refused')
    call.trail.email = normalizeEmail(email)
    const tried = { problem: error.message, email, status: 401 }
    return signInPage(service, browser, loaded, call.now, tried)
  }
}

interface Tried {
  readonly problem?: string
  readonly email?: string
  readonly status?: number
}

export async function signInPage(
  service: Service,
  browser: Browser,
  loaded: LoadedErrand,
  now: number,
  { problem, email = '', status = 200 }: Tried = {},
): Promise<Reply> {
  const { config } = service
  const passkey = await makeSignInForm(service, browser, loaded, now)
  const carried = hidden({ ...loaded.fields, form_token: formTokenOf(browser) })
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
    setCookie: browser.setCookie,
    ...(passkey.script === undefined ? {} : { script: passkey.script }),
    content: html`${matchPanel(loaded)}
${problemNote(problem)}
${config.passwordSignIn === 'on' ? password : EMPTY_HTML}
<div class="others">${passkey.form}
${providerLink(config, loaded.fields, 'Sign in with')}</div>`,
  })
}

const titleOf = ({ invitation }: LoadedErrand): string =>
  invitation ? `Sign in to join ${invitation.accountName ?? 'the account'}` : 'Sign in'

function matchPanel({ errand }: LoadedErrand): Html {
  const code = matchCodeOf(errand)
  if (code === undefined) return EMPTY_HTML
  return html`<div class="match"><p>The window that you came from shows this code:</p>
<output id="match-code">${code}</output>
<p>If it shows another code, or none, close this page: somebody else may have sent you here.</p></div>`
}

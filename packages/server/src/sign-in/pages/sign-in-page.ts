// The sign-in page: a form for each login method, passkey first where one was used in this browser. After a
// refused password it says what was wrong at the field, with the same text for every address. Inserts
// the interaction of its passkey form; changes nothing else. Contract §3, security U06, U07.

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { Reply } from '../../http/call.ts'
import { clockTime, passwordField, textField } from '../../http/html/form-field.ts'
import { buildPage, EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import {
  hasAnyProvider,
  listSignInProviders,
} from '../../identity-providers/identity-provider-store.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { formTokenOf, type PreAuthSession } from '../interaction/pre-auth-session.ts'
import type { LoadedIntent } from '../interaction/sign-in-intent.ts'
import { pageScriptUrl } from './page-script.ts'
import { passkeySignInForm } from './passkey-form.ts'
import { accountProviderLinks, hasProvider, practiceLink, providerLink } from './provider-link.ts'

/** A sign-in that was refused. */
export interface RefusedSignIn {
  /** The address that was typed. */
  readonly email?: string
  /** The time in milliseconds; passwords are not looked at before. */
  readonly waitUntil?: number
}

/** The facts that are known before the user types. */
interface KnownOfSignIn {
  readonly refused: RefusedSignIn | undefined
  readonly email: string | undefined
}

export async function showSignInForms(
  service: HasConfig & HasDatabase & HasRandomness,
  session: PreAuthSession,
  loaded: LoadedIntent,
  now: number,
  known: KnownOfSignIn,
): Promise<Reply> {
  const { refused } = known
  const { config } = service
  const passkey = await passkeySignInForm(service, session, loaded, now)
  const hasPassword = config.passwordSignIn === 'on'
  const form = hasPassword ? passwordForm(config.baseUrl, session, loaded, known) : EMPTY_HTML
  const { first, ofAccounts } = await accountLinks(service, loaded)
  const isLinked = hasProvider(config) || ofAccounts !== EMPTY_HTML
  const hasOthers = passkey !== EMPTY_HTML || isLinked
  return buildPage({
    title: titleOf(loaded),
    status: refused === undefined ? 200 : refused.waitUntil === undefined ? 401 : 429,
    setCookie: session.setCookie,
    script: pageScriptUrl(config.baseUrl),
    content: html`<p>${introductionOf(loaded)}</p>
${first}
<div data-passkey-place></div>
${form}
${hasPassword && hasOthers ? orRule(isLinked) : EMPTY_HTML}
<div class="others">${passkey}
${providerLink(config, loaded.fields, 'Sign in with')}
${ofAccounts}</div>
${WAY_BACK}`,
  })
}

/** The same for every visitor: the page says of no address whether it is known. */
const WAY_BACK = html`<details><summary>Cannot sign in?</summary><p>An administrator of your practice can reset how you sign in: on the page People of the console. You get a link that works once. If you administer the platform, ask another administrator, or the operator of the server.</p></details>`

/**
 * The providers of the account that has invited; else the way to those of every account. Those of the account that the
 * extension names come first: its administrators have set that.
 */
async function accountLinks(
  { config, db }: HasConfig & HasDatabase,
  { fields, invitation }: LoadedIntent,
): Promise<{ readonly first: Html; readonly ofAccounts: Html }> {
  const linksOf = async (accountId = '') => {
    const providers = await listSignInProviders(db, { accountId })
    return providers.length === 0
      ? EMPTY_HTML
      : accountProviderLinks(config, fields, 'Sign in with', providers)
  }
  if (invitation) {
    return { first: EMPTY_HTML, ofAccounts: await linksOf(invitation.invitation.accountId) }
  }
  const named = fields.account_id === undefined ? EMPTY_HTML : await linksOf(fields.account_id)
  return {
    first:
      named === EMPTY_HTML ? named : html`<div class="others">${named}</div>\n<p class="or">or</p>`,
    ofAccounts: (await hasAnyProvider(db)) ? practiceLink(config, fields) : EMPTY_HTML,
  }
}

/** The separator is visible only with a provider: without a script there may be no other way. */
const orRule = (isShown: boolean): Html =>
  isShown ? html`<p class="or">or</p>` : html`<p class="or" hidden>or</p>`

function passwordForm(
  baseUrl: string,
  session: PreAuthSession,
  { fields }: LoadedIntent,
  { refused, email = '' }: KnownOfSignIn,
): Html {
  const { waitUntil } = refused ?? {}
  const problem =
    refused &&
    (waitUntil === undefined
      ? 'The e-mail address or the password is wrong.'
      : html`Too many attempts. Wait until ${clockTime(waitUntil)}, or sign in another way.`)
  return html`<form method="post" action="${baseUrl}/auth/sign-in/password">
${hidden({ ...fields, form_token: formTokenOf(session) })}
${textField({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: email,
  autocomplete: 'username webauthn',
  maxLength: 254,
  hasFocus: email === '',
})}
${passwordField({
  name: 'password',
  label: 'Password',
  autocomplete: 'current-password webauthn',
  maxLength: 1024,
  problem,
  hasFocus: email !== '',
})}
<button class="button">Sign in</button>
</form>`
}

const titleOf = ({ invitation }: LoadedIntent): string =>
  invitation ? `Sign in to join ${invitation.accountName ?? 'the account'}` : 'Sign in'

/** A client’s page asks for the code once, at the end. */
function introductionOf({ intent }: LoadedIntent): string {
  switch (intent.for) {
    case 'client':
      return 'You sign in for the side panel or the program that opened this page. You may have to compare a code with it at the end.'
    case 'invitation':
      return 'You have an account already. Sign in as you always do.'
    case 'console':
      return 'You sign in to the console.'
  }
}

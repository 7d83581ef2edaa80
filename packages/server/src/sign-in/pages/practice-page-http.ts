// The page that leads to the providers of a practice, by its short name or by an address of a domain that it has
// proved. What no account has and an account without a provider look the same, so the page does not tell who is a
// customer. Changes nothing. Contract §13.

import type { HasConfig } from '../../config/config.ts'
import type { Database, HasDatabase } from '../../db/database.ts'
import { domainOfAddress } from '../../domains/domain.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { textField } from '../../http/html/form-field.ts'
import { buildPage, hidden, html } from '../../http/html/page.ts'
import {
  listSignInProviders,
  type SignInProvider,
} from '../../identity-providers/identity-provider-store.ts'
import { loadSignInIntent, requireSignInIntent } from '../interaction/sign-in-intent.ts'
import { accountProviderLinks, PRACTICE_PATH } from './provider-link.ts'

export async function showPracticePage(
  service: HasConfig & HasDatabase & HasRateLimits,
  call: PageCall,
): Promise<Reply> {
  const { config, db } = service
  const loaded = await loadSignInIntent(service, call.fields, call)
  requireSignInIntent(loaded)
  const typed = call.fields.practice?.trim().toLowerCase() ?? ''
  const providers = typed === '' ? [] : await findProviders(db, typed)
  const [first] = providers
  if (first) {
    return buildPage({
      title: `Sign in to ${first.accountName}`,
      content: html`<p>You sign in at your practice, and reach this practice only.</p>
<div class="others">${accountProviderLinks(config, loaded.fields, 'Continue with', providers)}</div>`,
    })
  }
  const problem =
    typed === ''
      ? undefined
      : 'No practice with a sign-in of its own has this short name, or addresses like this.'
  return buildPage({
    title: 'Sign in with your practice',
    status: problem === undefined ? 200 : 404,
    content: html`<form method="get" action="${config.baseUrl}${PRACTICE_PATH}">
${hidden(loaded.fields)}
${textField({
  name: 'practice',
  label: 'Short name of your practice, or your e-mail address there',
  type: 'text',
  value: typed.slice(0, MAX_TYPED),
  autocomplete: 'organization',
  maxLength: MAX_TYPED,
  hasFocus: true,
  problem,
})}
<button class="button">Continue</button>
</form>
<p class="hint">Your administrator knows the name, for example lakeside.</p>`,
  })
}

/** An e-mail address. */
const MAX_TYPED = 254

function findProviders(db: Database, typed: string): Promise<SignInProvider[]> {
  if (!typed.includes('@')) return listSignInProviders(db, { shortName: typed })
  const domain = domainOfAddress(typed)
  return domain === undefined ? Promise.resolve([]) : listSignInProviders(db, { domain })
}

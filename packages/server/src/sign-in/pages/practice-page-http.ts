// The page that leads to the providers of a practice, by its short name. A name that no account has and an account
// without a provider look the same, so the page does not tell who is a customer. Changes nothing. Contract §13.

import type { HasConfig } from '../../config/config.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { PageCall, Reply } from '../../http/call.ts'
import { textField } from '../../http/html/form-field.ts'
import { buildPage, hidden, html } from '../../http/html/page.ts'
import { listSignInProviders } from '../../identity-providers/identity-provider-store.ts'
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
  const providers = typed === '' ? [] : await listSignInProviders(db, { shortName: typed })
  const [first] = providers
  if (first) {
    return buildPage({
      title: `Sign in to ${first.accountName}`,
      content: html`<p>You sign in at your practice, and reach this practice only.</p>
<div class="others">${accountProviderLinks(config, loaded.fields, 'Continue with', providers)}</div>`,
    })
  }
  const problem =
    typed === '' ? undefined : 'No practice with a sign-in of its own has this short name.'
  return buildPage({
    title: 'Sign in with your practice',
    status: problem === undefined ? 200 : 404,
    content: html`<form method="get" action="${config.baseUrl}${PRACTICE_PATH}">
${hidden(loaded.fields)}
${textField({
  name: 'practice',
  label: 'Short name of your practice',
  type: 'text',
  value: typed.slice(0, 40),
  autocomplete: 'organization',
  maxLength: 40,
  hasFocus: true,
  problem,
})}
<button class="button">Continue</button>
</form>
<p class="hint">Your administrator knows it, for example lakeside.</p>`,
  })
}

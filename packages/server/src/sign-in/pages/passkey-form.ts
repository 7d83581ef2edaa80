// The passkey forms of the two pages. Each inserts the interaction whose challenge the passkey signs;
// the script shows the form only where the browser has passkeys. WebAuthn Level 3.

import type { HasConfig } from '../../config/config.ts'
import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import { hasPasskeys, newPasskeyOptions, signInOptions } from '../../credentials/passkey.ts'
import type { HasDatabase } from '../../db/database.ts'
import { EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import { newId } from '../../kernel/identifiers.ts'
import type { HasRandomness } from '../../kernel/randomness.ts'
import { insertInteractionStatement } from '../interaction/interaction-store.ts'
import { deriveFor, formTokenOf, type PreAuthSession } from '../interaction/pre-auth-session.ts'
import type { LoadedIntent } from '../interaction/sign-in-intent.ts'

type FormService = HasConfig & HasDatabase & HasRandomness

export async function passkeySignInForm(
  { config, db, randomness }: FormService,
  session: PreAuthSession,
  { intent, fields }: LoadedIntent,
  now: number,
): Promise<Html> {
  if (!hasPasskeys(config.baseUrl)) return EMPTY_HTML
  const step = newId('stp', now, randomness)
  const key = { id: step, session, kind: 'passkey', now } as const
  await db.write(insertInteractionStatement(key, { intent }))
  return buildForm(config.baseUrl, {
    action: '/auth/sign-in/passkey',
    options: signInOptions(config.baseUrl, deriveFor(session, step, 'passkey')),
    fields: { ...fields, step, form_token: formTokenOf(session) },
    label: 'Sign in with a passkey',
  })
}

interface NewPasskeyRequest {
  readonly session: PreAuthSession
  readonly token: string
  readonly opened: OpenInvitation
  readonly now: number
}

export async function newPasskeyForm(
  { config, db, randomness }: FormService,
  { session, token, opened, now }: NewPasskeyRequest,
): Promise<Html> {
  const { invitation, user } = opened
  if (!hasPasskeys(config.baseUrl)) return EMPTY_HTML
  const step = newId('stp', now, randomness)
  const key = { id: step, session, kind: 'new_passkey', now } as const
  await db.write(insertInteractionStatement(key, { invitationId: invitation.id }))
  return buildForm(config.baseUrl, {
    action: '/auth/invitation/passkey',
    options: newPasskeyOptions(config.baseUrl, deriveFor(session, step, 'passkey'), user),
    fields: { token, step, form_token: formTokenOf(session) },
    label: 'Create a passkey',
  })
}

interface FormParts {
  readonly action: string
  readonly options: object
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
}

const buildForm = (baseUrl: string, { action, options, fields, label }: FormParts): Html =>
  html`<form method="post" action="${baseUrl}${action}" data-passkey="${JSON.stringify(options)}" hidden>
${hidden({ ...fields, response: '' })}
<p class="problem" role="alert" hidden></p>
<button class="button second">${label}</button>
</form>`

// Builds the consent page and the pages after it. Pure. The text must let a user recognise a sign-in
// that an attacker began: the page names the user and where the right code stands. Security U06.

import type { OpenInvitation } from '../../credentials/invitation-store.ts'
import type { Reply } from '../../http/call.ts'
import { textField } from '../../http/html/form-field.ts'
import { buildPage, EMPTY_HTML, type Html, hidden, html } from '../../http/html/page.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { User } from '../../kernel/user.ts'
import { consoleLink } from './client-approval.ts'
import type { SignInIntent } from './interaction.ts'
import { INTERACTION_PATHS } from './interaction-pages.ts'
import { formTokenOf, type PreAuthSession } from './pre-auth-session.ts'
import { matchCodeOf } from './sign-in-intent.ts'

export interface ConsentQuestion {
  readonly title: string
  readonly text: Html
  /** The field stands inside the form. */
  readonly field?: Html
  readonly yes: string
  readonly no: string
}

export const clientQuestion = (intent: SignInIntent, user: User): ConsentQuestion => ({
  title: 'Do the codes match?',
  text: html`<p>You are <strong>${user.name}</strong>, ${user.email}.</p>
<div class="match"><p>The window that you came from shows this code:</p>
<output id="match-code">${matchCodeOf(intent) ?? ''}</output>
<p>That window is the browser extension or the program that you started yourself. If the code stands on a web page or in a
message, it is another person’s: say no.</p></div>`,
  yes: 'Yes, sign me in there',
  no: 'No, it is another code or none',
})

/** The page shows no code: the user reads it where the program runs, which a link cannot. */
export const programQuestion = (
  user: User,
  network: string,
  typed: string | undefined = undefined,
): ConsentQuestion => ({
  title: 'Type the code of your program',
  text: html`<p>You are <strong>${user.name}</strong>, ${user.email}.</p>
<p>A program asks from another network than this browser: <strong>${network}</strong>. Type the code that it shows.
If you did not start a program there, or the code came in a message, another person wants to sign in as you: say no.</p>`,
  field: textField({
    name: 'match_code',
    label: 'Code of the program',
    className: 'code',
    autocomplete: 'off',
    maxLength: 40,
    problem: typed === undefined ? undefined : 'That is not the code that the program shows.',
    hasFocus: true,
  }),
  yes: 'Sign me in there',
  no: 'No, I did not start it',
})

/** @throws ApiError not_allowed when the invitation is for another user */
export function invitationQuestion(
  { user: invited, accountName = '', role = '' }: OpenInvitation,
  user: User,
): ConsentQuestion {
  if (invited.id !== user.id) {
    throw new ApiError('not_allowed', 'This invitation is for another person than the one you are.')
  }
  return {
    title: `Join ${accountName}?`,
    text: html`<p>You are <strong>${user.name}</strong>, ${user.email}. Your role in
<strong>${accountName}</strong> will be: ${role}.</p>`,
    yes: 'Join',
    no: 'Do not join',
  }
}

export const buildConsentPage = (
  baseUrl: string,
  session: PreAuthSession,
  interactionId: string,
  { title, text, field = EMPTY_HTML, yes, no }: ConsentQuestion,
): Reply =>
  buildPage({
    title,
    content: html`${text}
<form method="post" action="${baseUrl}${INTERACTION_PATHS.approval}">
${hidden({ form_token: formTokenOf(session), step: interactionId })}
${field}
<button class="button" name="answer" value="yes">${yes}</button>
<button class="button second" name="answer" value="no" formnovalidate>${no}</button>
</form>`,
  })

export const buildRefusedPage = (baseUrl: string): Reply =>
  buildPage({
    title: 'No one was signed in',
    content: html`<p>If you did not begin a sign-in yourself, another person tried to sign in as you: tell your administrator. If you did,
begin again in the side panel or the program.</p>
${consoleLink(baseUrl)}`,
  })

export const buildUnchangedPage = (baseUrl: string): Reply =>
  buildPage({
    title: 'Nothing was changed',
    content: html`<p>You said no, and everything is as before.</p>
${consoleLink(baseUrl)}`,
  })

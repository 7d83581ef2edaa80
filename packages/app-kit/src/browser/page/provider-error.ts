// The errors with which the provider redirects the browser back to the app. Owns the fixes; the
// cause is the provider's own description. The host gets them at once: a Worker has no page to show them.
import { type Page, thisPage } from '../page.ts'
import { report } from '../report-failure.ts'

const COOKIES = 'Allow cookies of the identity provider in the panel, then launch the app again.'
const FIXES: Readonly<Record<string, string>> = {
  service_unreachable: 'Check that the service runs, then launch the app again.',
  provider_session_missing: COOKIES,
  state_not_found: COOKIES,
  state_mismatch: COOKIES,
  ticket_missing: 'Launch the app from the panel beside the chart; a reloaded page has no ticket.',
  provider_failed: 'Look at the terminal in which the provider runs, then launch the app again.',
}

/** @throws Error with the provider's `code`, and a `fix`; the host has it then */
export function failAtProvider(
  code: string,
  description: string | null,
  page: Page = thisPage(),
): never {
  const message = description || `Signing in failed: ${code}.`
  const fix = FIXES[code] ?? 'Launch the app again from the panel.'
  report(page, { code, message, fix })
  throw Object.assign(new Error(message), { code, fix })
}

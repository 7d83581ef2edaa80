// What the provider's errors mean for a person: it brought this browser back without a ticket. Owns the
// fixes; the cause is the provider's own words.
import type { ProblemView } from '@chartside/example-app-shell/browser'

const COOKIES = 'Allow cookies of the identity provider in the panel, then launch the app again.'
const FIXES: Readonly<Record<string, string>> = {
  service_unreachable: 'Check that the service runs, then launch the app again.',
  provider_session_missing: COOKIES,
  state_not_found: COOKIES,
  state_mismatch: COOKIES,
  provider_failed: 'Look at the terminal in which the provider runs, then launch the app again.',
}

export function explainFailure(error: string, description: string | null): ProblemView {
  const fix = FIXES[error] ?? 'Launch the app again from the panel.'
  return { error, cause: description || `Signing in failed: ${error}.`, fix }
}

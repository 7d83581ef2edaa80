// The errors with which the provider redirects the browser back to the app. Owns the fixes; the
// cause is the provider's own description.

const COOKIES = 'Allow cookies of the identity provider in the panel, then launch the app again.'
const FIXES: Readonly<Record<string, string>> = {
  service_unreachable: 'Check that the service runs, then launch the app again.',
  provider_session_missing: COOKIES,
  state_not_found: COOKIES,
  state_mismatch: COOKIES,
  ticket_missing: 'Launch the app from the panel beside the chart; a reloaded page has no ticket.',
  provider_failed: 'Look at the terminal in which the provider runs, then launch the app again.',
}

export function buildProviderError(code: string, description: string | null): Error {
  const cause = description || `Signing in failed: ${code}.`
  const fix = FIXES[code] ?? 'Launch the app again from the panel.'
  return Object.assign(new Error(cause), { code, fix })
}

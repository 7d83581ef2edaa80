// What docs/spec/decisions.md decides and marks as not built yet, and the module that finds it. A
// line goes as soon as the service does what the decision says.

export const KNOWN_DEVIATIONS: Readonly<Record<string, string>> = {
  'oidcc-prompt-login': 'Decisions 2: prompt with login gets its own error',
  'oidcc-prompt-none-with-another-value': 'Decisions 2: none with another value is invalid_request',
  'oidcc-max-age-1': 'Decisions 2: an older sign-in gets login_required',
  'oidcc-max-age-10000': 'Decisions 2: every ID token carries auth_time',
  'rfc6749-no-client': 'Decisions 2: a request without any client gets 401 invalid_client',
  'smart-launch-capability': 'Security D05: a capability is named only when it is served',
}

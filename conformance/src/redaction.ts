// Cuts secrets out of what the suite records: credentials, codes, tokens, verifiers, launch_ids.
// Pure. It works on text, whatever the format: query, form, JSON, header or HTML.

const NAMES =
  'client_secret|code|access_token|id_token|id_token_hint|refresh_token|password|code_verifier|token|secret|launch|launch_id|login'
const IN_FORM = new RegExp(`(^|[?&#\\s"'])(${NAMES})=([^&#\\s"']+)`, 'g')
const IN_JSON = new RegExp(`("(?:${NAMES})"\\s*:\\s*")([^"]+)"`, 'g')
/** The bearer values of Chartside have a visible prefix (contract §1). */
const BEARER_VALUE = /\b(lnch|code|at|cs|st)_[\w-]{32,}/g
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g
const CREDENTIALS = /\b(Basic|Bearer)\s+\S+/gi

/** Enough to recognize a value in two places, and not enough to use it. */
const cut = (value: string) => (value.length > 16 ? `${value.slice(0, 6)}…` : '…')

export function redact(text: string, secrets: Iterable<string> = []): string {
  let shown = text
  for (const secret of secrets) {
    if (secret.length >= 4) shown = shown.replaceAll(secret, '…')
  }
  return shown
    .replace(IN_FORM, (_all, before, name, value) => `${before}${name}=${cut(value)}`)
    .replace(IN_JSON, (_all, before, value) => `${before}${cut(value)}"`)
    .replace(JWT, (value) => cut(value))
    .replace(BEARER_VALUE, (value) => cut(value))
}

export const redactCredentials = (header: string) => header.replace(CREDENTIALS, '$1 …')

// The findings of a pre-flight: for each code the check it belongs to, its outcome, its cause and its fix.
// Codes are stable; docs/build/preflight.md lists them. What is seen and what is missing stand beside
// them in the answer. Pure.

export const CHECKS = [
  'reachable',
  'tls',
  'redirects',
  'content_type',
  'frame_ancestors',
  'x_frame_options',
  'script_policy',
  'cookies',
  'time',
  'logout',
] as const
export const OUTCOMES = ['passed', 'warning', 'failed', 'not_checked'] as const

type Check = (typeof CHECKS)[number]
type Outcome = (typeof OUTCOMES)[number]

interface Kind {
  readonly check: Check
  readonly outcome: Outcome
  readonly cause: string
  /** Every check that did not pass has a fix. */
  readonly fix?: string
}

const passed = (check: Check, cause: string): Kind => ({ check, outcome: 'passed', cause })
const kind =
  (outcome: Outcome) =>
  (check: Check, cause: string, fix: string): Kind => ({ check, outcome, cause, fix })
const warning = kind('warning')
const failed = kind('failed')

const PUBLIC_HOST =
  'Register a name that public DNS resolves to a public address. In development use http://localhost.'

export const FINDINGS = {
  reached: passed('reachable', 'The page answers.'),
  refuses_without_parameters: passed(
    'reachable',
    'The page answers with a client error: it is asked without launch_id and code. Its headers count all the same.',
  ),
  no_public_address: failed('reachable', 'The host has no public address.', PUBLIC_HOST),
  no_https: failed(
    'reachable',
    'Nothing at this port answers HTTP over TLS within 5 seconds.',
    'Serve https there, or register the usual port: for port 443 the answer names the cause.',
  ),
  port_not_asked: warning(
    'reachable',
    'Outside development the pre-flight asks port 443 and ports above 1023 only.',
    'Use the usual port. A firewall of a practice may close this one, too.',
  ),
  connection_refused: failed(
    'reachable',
    'Nothing listens at this address.',
    'Start the app, or correct the port of the registered URL.',
  ),
  connection_failed: failed(
    'reachable',
    'The connection broke before an answer came.',
    'Look at the log of the app and of the proxy before it.',
  ),
  timed_out: failed(
    'reachable',
    'No answer came within 5 seconds.',
    'Find what the page waits for, or which firewall drops the connection.',
  ),
  headers_too_large: failed(
    'reachable',
    'The headers of the answer have more than 64 KB.',
    'Send smaller headers; a cookie or a policy that grows is the usual cause.',
  ),
  not_http: failed(
    'reachable',
    'What answers does not speak HTTP.',
    'Correct scheme and port of the registered URL.',
  ),
  page_not_found: failed(
    'reachable',
    'Nothing is at this path.',
    'Register the path that the app serves; a final slash counts.',
  ),
  page_refuses: failed(
    'reachable',
    'The page refuses a visitor without credentials.',
    'Serve the page to everyone: the launch is what signs the provider in. Take it out of basic authentication and bot protection.',
  ),
  page_fails: failed(
    'reachable',
    'The page answers with a server error.',
    'Look at the log of the app.',
  ),
  sign_in_page: warning(
    'reachable',
    'The page asks for a password, and a launch cannot go on there.',
    'Let the Launch URL begin the launch without a sign-in: the launch signs the provider in.',
  ),
  smart_page: warning(
    'reachable',
    'The page is a SMART App Launch app: it waits for iss and launch, which its Launch URL does not get.',
    'Register the app with SMART launch ("launchStyle": "smart"). Its server exchanges the code, with a secret and PKCE.',
  ),
  certificate_valid: passed('tls', 'The certificate is valid.'),
  loopback_without_tls: passed('tls', 'The page is on this machine and needs no TLS.'),
  certificate_ends_soon: warning(
    'tls',
    'The certificate ends within 14 days.',
    'Renew it, and see why it was not renewed automatically.',
  ),
  certificate_expired: failed(
    'tls',
    'The certificate is not valid today.',
    'Renew the certificate.',
  ),
  certificate_of_another_host: failed(
    'tls',
    'The certificate is for another host.',
    'Get a certificate for the host of the registered URL.',
  ),
  certificate_untrusted: failed(
    'tls',
    'No authority that browsers trust has signed the certificate, or the chain is not complete.',
    'Use a public authority, and send the intermediate certificates.',
  ),
  tls_failed: failed(
    'tls',
    'The TLS handshake failed.',
    'Serve TLS 1.2 or newer at the registered port.',
  ),
  no_redirect: passed('redirects', 'The page does not redirect.'),
  redirects_within_app: passed('redirects', 'All redirects stay on registered origins.'),
  redirects_to_service: passed(
    'redirects',
    'The page leads to this service, as a launch does. The headers of its own answers count.',
  ),
  redirects_to_other_origin: warning(
    'redirects',
    'The page ends at an origin that the app has not registered; the host would not answer its SDK.',
    'If the app runs there, register it in allowedIframeUrls or as a redirect URI. An identity provider needs nothing.',
  ),
  redirect_refused: failed(
    'redirects',
    'A redirect leads to an address that is not followed: http, credentials in it, or a port that is not registered.',
    'Redirect to https at a registered port. A browser blocks http inside the panel.',
  ),
  too_many_redirects: failed(
    'redirects',
    'More than 3 redirects follow each other.',
    'Register the address at which the page is.',
  ),
  html: passed('content_type', 'The page is HTML.'),
  not_html: failed(
    'content_type',
    'The answer is no HTML page, so the frame shows no app.',
    'Send the page as text/html.',
  ),
  download: failed(
    'content_type',
    'The answer is a download, not a page.',
    'Leave Content-Disposition: attachment out.',
  ),
  host_admitted: passed('frame_ancestors', 'frame-ancestors admits every host origin.'),
  framing_unrestricted: warning(
    'frame_ancestors',
    'No policy says who may frame the page, so any web page may.',
    'Send frame-ancestors with the host origins, as the fix for clickjacking.',
  ),
  host_not_admitted: failed(
    'frame_ancestors',
    'frame-ancestors leaves a host origin out, so the browser shows no page in the panel.',
    'Add what is missing to frame-ancestors. The word * does not stand for extensions.',
  ),
  no_host_origin: {
    check: 'frame_ancestors',
    outcome: 'not_checked',
    cause: 'This service has no host origin configured, and the request names none.',
    fix: 'Name the origin of the extension as origin.',
  },
  frame_options_absent: passed('x_frame_options', 'X-Frame-Options is not sent.'),
  frame_options_overridden: passed(
    'x_frame_options',
    'X-Frame-Options is sent; browsers follow frame-ancestors instead.',
  ),
  framing_forbidden: failed(
    'x_frame_options',
    'X-Frame-Options forbids the panel to show the page, and it cannot name an extension.',
    'Remove it and send frame-ancestors with the host origins.',
  ),
  sdk_allowed: passed('script_policy', 'The policy of the page allows the SDK script.'),
  sdk_by_nonce: passed(
    'script_policy',
    'The policy allows scripts by nonce, hash or strict-dynamic: load the SDK that way.',
  ),
  sdk_blocked: failed(
    'script_policy',
    'The policy of the page blocks the SDK script.',
    'Add what is missing to the policy.',
  ),
  token_endpoint_blocked: failed(
    'script_policy',
    'The policy of the page blocks the request to the registered token endpoint.',
    'Add what is missing to the policy.',
  ),
  page_sandboxed: failed(
    'script_policy',
    'The policy has a sandbox without scripts or without its own origin.',
    'Leave sandbox out, or add what is missing; the panel has a sandbox of its own.',
  ),
  no_cookies: passed('cookies', 'The page sets no cookie.'),
  cookies_work: passed('cookies', 'Every cookie is sent from the panel.'),
  cookie_not_sent: failed(
    'cookies',
    'A browser does not send this cookie from the panel, where the app is a third party.',
    'Set the attributes that are missing.',
  ),
  cookie_not_partitioned: warning(
    'cookies',
    'A browser that blocks third-party cookies drops this cookie.',
    'Set Partitioned, so that the cookie belongs to the panel.',
  ),
  in_time: passed('time', 'The page came in time.'),
  slow: warning(
    'time',
    'The page took more than 2 seconds; the panel says by then that it is slow.',
    'Find what the page waits for.',
  ),
  too_slow: failed(
    'time',
    'The page had not ended after 5 seconds.',
    'Send the page as a whole; a stream belongs into a request of its own.',
  ),
  clock_wrong: warning(
    'time',
    "The clock of the page's server is wrong, so it refuses valid ID tokens.",
    'Set the clock of the server by NTP.',
  ),
  logout_token_checked: passed('logout', 'The server refuses a logout token that nothing signed.'),
  logout_token_unchecked: failed(
    'logout',
    'The server takes a logout token that nothing signed, so anyone can end its sessions.',
    'Verify the signature with the keys of this service; createLogoutReceiver of the app kit does.',
  ),
  logout_answer_unknown: warning(
    'logout',
    'The server answers a logout token that nothing signed with another status than 400.',
    'Answer 400 to a token that is not valid: any other answer is taken for a failure, and tried again.',
  ),
} as const satisfies Record<string, Kind>

export type FindingCode = keyof typeof FINDINGS

export interface Finding extends Kind {
  readonly code: FindingCode
  /** The app has to add this. */
  readonly missing?: string
  /** The app sent this; it is cut. */
  readonly seen?: string
}

const MAX_SEEN = 300

/** Shows the text of a foreign server: printable characters only, and not at length. */
const shown = (text: string) => {
  const printable = text.replace(/[^\x20-\x7e]+/g, ' ').trim()
  return printable.length > MAX_SEEN ? `${printable.slice(0, MAX_SEEN)}…` : printable
}

export function finding(
  code: FindingCode,
  {
    missing,
    seen,
  }: { readonly missing?: string | undefined; readonly seen?: string | undefined } = {},
): Finding {
  return {
    code,
    ...FINDINGS[code],
    ...(missing === undefined ? {} : { missing }),
    ...(seen === undefined ? {} : { seen: shown(seen) }),
  }
}

/** The worst of the findings of a page. */
export function outcomeOf(findings: readonly Finding[]): Exclude<Outcome, 'not_checked'> {
  const has = (outcome: Outcome) => findings.some((found) => found.outcome === outcome)
  return has('failed') ? 'failed' : has('warning') ? 'warning' : 'passed'
}

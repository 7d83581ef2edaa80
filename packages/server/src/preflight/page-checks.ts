// Judges what a visit of a page saw, check by check: whether the page can open in the panel, load the SDK and
// keep its cookies there. Pure. Contract §5 (framing), spec §5.5; docs/build/preflight.md.
import {
  admits,
  type ContentPolicy,
  findDirective,
  isByNonce,
  listMetaPolicies,
  parsePolicies,
} from './content-policy.ts'
import { type Finding, finding } from './finding.ts'
import type { PageAnswer } from './page-request.ts'
import type { Hop, LogoutProbe, Visit, VisitProblem } from './page-visit.ts'
import { parseSetCookie } from './set-cookie.ts'

const SLOW_MS = 2000
/** A visit takes seconds, and Date has whole ones. */
const WRONG_CLOCK_MS = 60_000
const SOON_MS = 14 * 24 * 60 * 60 * 1000
/** A page can set hundreds. */
const MAX_COOKIES = 10

export interface Expectation {
  /** Origins of hosts that open the page in a frame. */
  readonly hostOrigins: readonly string[]
  /** Origins that the app has registered. */
  readonly appOrigins: readonly string[]
  /** Whether the SDK runs on this page: on redirect URIs. */
  readonly runsSdk: boolean
  /** A SMART app gets iss and launch. */
  readonly isSmart: boolean
  readonly sdkUrl: string
  readonly tokenEndpoint: string | undefined
  readonly now: number
}

export function checkPage(visit: Visit, expected: Expectation): Finding[] {
  const last = visit.hops.at(-1)
  if (visit.problem) return [problemOf(visit.problem), ...checkCookies(visit, expected)]
  if (!last) return []
  const isRefused = last.status >= 400
  const answered = [
    checkStatus(last),
    ...checkKind(last, expected),
    checkTls(visit, expected.now),
    checkRedirects(visit, expected),
    ...checkCookies(visit, expected),
    checkTime(visit, last),
    ...checkClock(last, expected.now),
  ]
  // Of a foreign page, such as that of an identity provider, nothing has to hold.
  if (visit.endsAtService || !isOfApp(last, expected)) return answered
  const policies = parsePolicies(valuesOf(last, 'content-security-policy'))
  return [
    ...answered,
    ...(isRefused ? [] : [checkContentType(last)]),
    ...checkFraming(last, policies, expected),
    ...(expected.runsSdk ? checkScripts(last, policies, expected) : []),
  ]
}

/** The server must refuse a token that nothing signed; contract §12. */
export function checkLogout({ url, status, problem }: LogoutProbe): Finding[] {
  if (problem || status === undefined) return [problemOf({ code: problem ?? 'timed_out', at: url })]
  const seen = { seen: `status ${status}` }
  if (status === 400) return [finding('logout_token_checked', seen)]
  const isTaken = status >= 200 && status < 300
  return [finding(isTaken ? 'logout_token_unchecked' : 'logout_answer_unknown', seen)]
}

const isOfApp = ({ url }: { readonly url: string }, { appOrigins }: Expectation) =>
  appOrigins.includes(new URL(url).origin)

const valuesOf = ({ headers }: PageAnswer, name: string) =>
  headers.filter(([candidate]) => candidate === name).map(([, value]) => value)

/** Addresses of a redirect may carry secrets of the app in their query. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '?...')

function problemOf({ code, at }: { code: VisitProblem; at: string }): Finding {
  return finding(code, { seen: withoutQuery(at) })
}

function checkStatus({ status }: PageAnswer): Finding {
  const seen = { seen: `status ${status}` }
  if (status >= 500) return finding('page_fails', seen)
  if (status === 404 || status === 410) return finding('page_not_found', seen)
  if ([401, 403, 407, 429, 451].includes(status)) return finding('page_refuses', seen)
  return finding(status >= 400 ? 'refuses_without_parameters' : 'reached', seen)
}

const PASSWORD_FIELD = /<input\b[^>]*\btype\s*=\s*["']?password\b/i
/** The library of SMART App Launch by its script or its API, and what it says without iss. */
const SMART_LIBRARY = /\bfhir-?client\b|\bFHIR\.oauth2\b|No server url found/i

/** Finds a page of another kind than one that begins a launch. */
function checkKind(page: Hop, expected: Expectation): Finding[] {
  if (!isOfApp(page, expected)) return []
  const seen = { seen: withoutQuery(page.url) }
  if (!expected.isSmart && SMART_LIBRARY.test(page.body)) return [finding('smart_page', seen)]
  return PASSWORD_FIELD.test(page.body) ? [finding('sign_in_page', seen)] : []
}

function checkTls({ hops }: Visit, now: number): Finding {
  const ends = hops.flatMap(({ certificateEndsAt }) => certificateEndsAt ?? [])
  if (ends.length === 0) return finding('loopback_without_tls')
  const first = Math.min(...ends)
  const seen = { seen: `valid until ${new Date(first).toISOString().slice(0, 10)}` }
  return finding(first < now + SOON_MS ? 'certificate_ends_soon' : 'certificate_valid', seen)
}

function checkRedirects({ hops, endsAtService }: Visit, expected: Expectation): Finding {
  if (endsAtService) return finding('redirects_to_service')
  const last = hops.at(-1)
  if (hops.length === 1 || !last) return finding('no_redirect')
  const seen = { seen: hops.map(({ url }) => withoutQuery(url)).join(' -> ') }
  return isOfApp(last, expected)
    ? finding('redirects_within_app', seen)
    : finding('redirects_to_other_origin', { ...seen, missing: new URL(last.url).origin })
}

function checkContentType(page: PageAnswer): Finding {
  const [type = ''] = valuesOf(page, 'content-type')
  const [disposition = ''] = valuesOf(page, 'content-disposition')
  if (/^\s*attachment/i.test(disposition)) return finding('download', { seen: disposition })
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)
    ? finding('html', { seen: type })
    : finding('not_html', { missing: 'Content-Type: text/html', seen: type || 'no Content-Type' })
}

function checkFraming(
  page: Hop,
  policies: readonly ContentPolicy[],
  { hostOrigins }: Expectation,
): Finding[] {
  const lists = policies.flatMap((policy) => findDirective(policy, 'frame-ancestors') ?? [])
  const [options] = valuesOf(page, 'x-frame-options')
  const wanted = `frame-ancestors ${hostOrigins.join(' ')}`
  const self = page.url
  const left = hostOrigins.filter((origin) =>
    lists.some(({ sources }) => !admits(sources, origin, self)),
  )
  const seen = lists.map(({ name, sources }) => `${name} ${sources.join(' ')}`).join('; ')
  const ancestors =
    hostOrigins.length === 0
      ? finding('no_host_origin')
      : lists.length === 0
        ? finding('framing_unrestricted', { missing: wanted })
        : left.length === 0
          ? finding('host_admitted', { seen })
          : finding('host_not_admitted', { missing: `frame-ancestors ${left.join(' ')}`, seen })
  if (options === undefined) return [ancestors, finding('frame_options_absent')]
  // A browser ignores a value that it does not know, ALLOW-FROM too.
  const binds = /\b(deny|sameorigin)\b/i.test(valuesOf(page, 'x-frame-options').join(','))
  if (lists.length > 0 || !binds) {
    return [ancestors, finding('frame_options_overridden', { seen: options })]
  }
  const forbidden = finding('framing_forbidden', { missing: wanted, seen: options })
  // "Any web page may frame it" would be wrong beside it.
  return ancestors.code === 'framing_unrestricted' ? [forbidden] : [ancestors, forbidden]
}

function checkScripts(
  page: Hop,
  sent: readonly ContentPolicy[],
  { sdkUrl, tokenEndpoint }: Expectation,
): Finding[] {
  const self = page.url
  const policies = [...sent, ...parsePolicies(listMetaPolicies(page.body))]
  const problems = sent.flatMap((policy) => {
    const sandbox = findDirective(policy, 'sandbox')
    const allowed = sandbox?.sources.map((source) => source.toLowerCase()) ?? []
    const lacking = ['allow-scripts', 'allow-same-origin'].filter((word) => !allowed.includes(word))
    return sandbox && lacking.length > 0
      ? [
          finding('page_sandboxed', {
            missing: lacking.join(' '),
            seen: `sandbox ${allowed.join(' ')}`,
          }),
        ]
      : []
  })
  let isByNonceOnly = false
  for (const policy of policies) {
    const scripts = findDirective(policy, 'script-src-elem', 'script-src', 'default-src')
    if (scripts && isByNonce(scripts.sources)) isByNonceOnly = true
    else if (scripts && !admits(scripts.sources, sdkUrl, self)) {
      const missing = `script-src ${new URL(sdkUrl).origin}`
      problems.push(finding('sdk_blocked', { missing, seen: show(scripts) }))
    }
    const requests = findDirective(policy, 'connect-src', 'default-src')
    if (tokenEndpoint && requests && !admits(requests.sources, tokenEndpoint, self)) {
      const missing = `connect-src ${new URL(tokenEndpoint).origin}`
      problems.push(finding('token_endpoint_blocked', { missing, seen: show(requests) }))
    }
  }
  if (problems.length > 0) return problems
  return [finding(isByNonceOnly ? 'sdk_by_nonce' : 'sdk_allowed')]
}

const show = ({ name, sources }: { name: string; sources: readonly string[] }) =>
  `${name} ${sources.join(' ')}`

function checkCookies({ hops }: Visit, expected: Expectation): Finding[] {
  const cookies = hops
    .filter((hop) => isOfApp(hop, expected))
    .flatMap((hop) => valuesOf(hop, 'set-cookie'))
    .flatMap((header) => parseSetCookie(header) ?? [])
  if (cookies.length === 0) return hops.length > 0 ? [finding('no_cookies')] : []
  const wrong = cookies.flatMap(({ name, sameSite, isSecure, isPartitioned }) => {
    const isNone = sameSite?.toLowerCase() === 'none'
    const lacking = [isNone ? '' : 'SameSite=None', isSecure ? '' : 'Secure'].filter(Boolean)
    const seen = `${name}; SameSite=${sameSite ?? '(not set)'}${isSecure ? '; Secure' : ''}`
    if (lacking.length > 0)
      return [finding('cookie_not_sent', { missing: lacking.join('; '), seen })]
    return isPartitioned
      ? []
      : [finding('cookie_not_partitioned', { missing: 'Partitioned', seen })]
  })
  return wrong.length > 0 ? wrong.slice(0, MAX_COOKIES) : [finding('cookies_work')]
}

/** A cache keeps the time of its origin, with the Age of the answer. */
function checkClock(page: PageAnswer, now: number): Finding[] {
  const [date = ''] = valuesOf(page, 'date')
  const aheadMs = Date.parse(date) - now
  const isKnown = !Number.isNaN(aheadMs) && valuesOf(page, 'age').length === 0
  if (!isKnown || Math.abs(aheadMs) < WRONG_CLOCK_MS) return []
  const minutes = Math.round(Math.abs(aheadMs) / 60_000)
  const offset = minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`
  return [finding('clock_wrong', { seen: `${offset} ${aheadMs > 0 ? 'ahead' : 'behind'}` })]
}

function checkTime({ milliseconds }: Visit, { isBodyInTime }: PageAnswer): Finding {
  const seen = { seen: `${milliseconds} ms` }
  if (!isBodyInTime) return finding('too_slow', seen)
  return finding(milliseconds > SLOW_MS ? 'slow' : 'in_time', seen)
}

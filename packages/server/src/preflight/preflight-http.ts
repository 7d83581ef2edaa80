// The handlers of the pre-flight: load the app, count the request, visit its registered pages side by side, show
// the findings, and keep the outcome. It fetches what is registered and nothing that a request names. Contract §4.

import { createHash } from 'node:crypto'
import { type App, isSmart, listOrigins } from '../apps/app.ts'
import { loadApp } from '../apps/app-access.ts'
import type { HasConfig } from '../config/config.ts'
import { parseOrigins } from '../config/setting-parsers.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { outcomeOf } from './finding.ts'
import { checkLogout, checkPage, type Expectation } from './page-checks.ts'
import type { LogoutProbe } from './page-visit.ts'
import type { HasPageVisitor } from './page-visitor.ts'
import type { LAST_PREFLIGHT, PREFLIGHT, PREFLIGHT_BODY } from './preflight-schema.ts'
import { findPreflight, replacePreflight } from './preflight-store.ts'

type Parts = HasConfig & HasDatabase & HasRandomness & HasRateLimits & HasPageVisitor

type Preflight = PayloadOf<typeof PREFLIGHT>
type Page = Preflight['pages'][number]
type Use = Page['uses'][number]

const MAX_PAGES = 6

export async function runPreflight(
  service: Parts,
  call: PersonCall<'id', typeof PREFLIGHT_BODY>,
): Promise<Answer<200, typeof PREFLIGHT>> {
  const { config, limits, pageVisitor } = service
  const app = await loadApp(service, call)
  const hostOrigins = [...new Set([...config.hostOrigins, ...parseOrigin(call.body.origin)])]
  const pages = listPages(app)
  const chosen = choose(pages, call.body.urls)
  const userId = call.person.user.id
  const attempt = (subject: string) => ({ address: call.address, subject })
  await limits.count(attempt(`${app.id} ${userId}`), call.now, 'preflightOfApp')
  await limits.count(attempt(userId), call.now, 'preflights')
  const expected = {
    hostOrigins,
    appOrigins: listOrigins(app),
    isSmart: isSmart(app),
    sdkUrl: `${config.baseUrl}/sdk/v1/sdk.js`,
    tokenEndpoint: app.tokenEndpoint,
    now: call.now,
  }
  const ports = new Set([...pages.keys()].map((url) => new URL(url).port).filter(Boolean))
  const logout = app.backchannelLogoutUri
  const visits = await pageVisitor.visit(
    chosen.filter((url) => url !== logout),
    ports,
    { person: userId, account: app.accountId },
  )
  const shown = visits.map((visit) => showPage(visit, pages.get(visit.url) ?? [], expected))
  if (logout !== undefined && chosen.includes(logout)) {
    shown.push(showLogout(await pageVisitor.probeLogout(logout, forgeLogoutToken(service, app))))
  }
  const outcome = worstOf(shown)
  if (call.body.urls === undefined && call.body.origin === undefined) {
    const subject = hashSubject(config, app)
    await replacePreflight(service.db, {
      ...{ appId: app.id, checkedAt: call.now, outcome, subject },
    })
  }
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      appId: app.id,
      checkedAt: rfc3339(call.now),
      hostOrigins,
      outcome,
      pages: shown,
      notChecked: [...pages.keys()].filter((url) => !chosen.includes(url)),
    },
  }
}

export async function showLastPreflight(
  service: HasConfig & HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof LAST_PREFLIGHT>> {
  const app = await loadApp(service, call)
  const stored = await findPreflight(service.db, app.id)
  const last = stored && {
    checkedAt: rfc3339(stored.checkedAt),
    outcome: stored.outcome,
    isCurrent: stored.subject === hashSubject(service.config, app),
  }
  return { status: 200, body: { last: last ?? null } }
}

/** Hashes what the registration and the configuration give to the checks. */
function hashSubject({ hostOrigins }: Parts['config'], app: App): string {
  const pages = [...listPages(app)]
  const subject = [pages, hostOrigins, listOrigins(app), isSmart(app), app.tokenEndpoint ?? null]
  return createHash('sha256').update(JSON.stringify(subject)).digest('base64url')
}

/** The pages that a browser opens in the panel, each with what for. */
function listPages({
  launchUrl,
  workerLaunchUrl,
  redirectUris,
  backchannelLogoutUri,
}: App): Map<string, Use[]> {
  const pages = new Map<string, Use[]>()
  const add = (use: Use, url: string | undefined) => {
    if (url !== undefined) pages.set(url, [...(pages.get(url) ?? []), use])
  }
  add('launch', launchUrl)
  add('worker_launch', workerLaunchUrl)
  for (const url of redirectUris) add('redirect', url)
  if (backchannelLogoutUri !== undefined) pages.set(backchannelLogoutUri, ['backchannel_logout'])
  return pages
}

/** Makes a token as the service does, but for the signature: random bytes. */
function forgeLogoutToken({ config, randomness }: Parts, { clientId }: App): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = { alg: 'RS256', typ: 'logout+jwt', kid: 'preflight' }
  const claims = {
    iss: config.issuerUrl,
    aud: clientId,
    sub: 'usr_preflight',
    sid: 'ses_preflight',
  }
  return `${encode(header)}.${encode(claims)}.${randomness.bytes(256).toString('base64url')}`
}

function showLogout(probe: LogoutProbe): Page {
  const findings = checkLogout(probe)
  const { url, status, milliseconds } = probe
  return {
    ...{ url, uses: ['backchannel_logout'], outcome: outcomeOf(findings), findings },
    ...(status === undefined ? {} : { status, milliseconds }),
  }
}

/** @throws ApiError 400 for a URL that is not registered: the service fetches no other. [A18] */
function choose(pages: ReadonlyMap<string, readonly Use[]>, urls: readonly string[] | undefined) {
  if (urls === undefined) return [...pages.keys()].slice(0, MAX_PAGES)
  const problems = urls.flatMap((url, i) =>
    pages.has(url)
      ? []
      : [{ field: `/urls/${i}`, message: 'Not a Launch URL or redirect URI of this app.' }],
  )
  if (problems.length > 0) {
    throw new ApiError('invalid_request', 'Only registered URLs are fetched.', problems)
  }
  return [...new Set(urls)]
}

/** @throws ApiError 400 */
function parseOrigin(origin: string | undefined): readonly string[] {
  if (origin === undefined) return []
  const parsed = parseOrigins(origin)
  if ('value' in parsed && parsed.value.length === 1 && URL.canParse(origin)) return parsed.value
  throw new ApiError('invalid_request', 'origin is not an origin.', [
    { field: '/origin', message: 'Must be an exact origin such as chrome-extension://<id>.' },
  ])
}

function showPage(
  visit: Parameters<typeof checkPage>[0],
  uses: readonly Use[],
  expected: Omit<Expectation, 'runsSdk'>,
): Page {
  const findings = checkPage(visit, { ...expected, runsSdk: uses.includes('redirect') })
  const status = visit.hops.at(-1)?.status
  return {
    url: visit.url,
    uses,
    outcome: outcomeOf(findings),
    findings,
    // The time to a refusal would tell whether a name exists in an internal network.
    ...(status === undefined ? {} : { status, milliseconds: visit.milliseconds }),
  }
}

function worstOf(pages: readonly Page[]): Page['outcome'] {
  const outcomes = pages.map(({ outcome }) => outcome)
  return outcomes.includes('failed')
    ? 'failed'
    : outcomes.includes('warning')
      ? 'warning'
      : 'passed'
}

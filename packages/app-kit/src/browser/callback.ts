// The callback page: checks the answer of authorize before the page fetches anything. Removes code
// and state from the address, and the stored value from the tab. Sends nothing itself. Spec §2.2,
// §7; RFC 9207 2.4; security H02, R05-R07, R12.
import { describeAuthorizeError, isAuthorizeError } from './authorize-error.ts'
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { type Page, thisPage } from './page.ts'
import { reportFailure } from './report-failure.ts'
import { explainState, redeemState } from './state.ts'
import { watchForInit } from './watch-for-init.ts'

export interface CallbackOptions {
  /** The issuer that `iss` of the callback must equal. Default: the issuer that `beginLaunch` went to. */
  readonly issuer?: string
  /**
   * Leaves `code` in the address, for an SDK script that is loaded later and posts it to the registered token
   * endpoint (spec §5.2). A script that was loaded before has read it already. Default false.
   */
  readonly keepCode?: boolean
}

export interface Callback {
  /** The code is good for one exchange. */
  readonly code: string
  readonly launchId: string
  /** The verifier for the exchange, when `beginLaunch` used `pkce`. */
  readonly codeVerifier?: string
  /** The proof for `verifyIdToken`, beside the ID token, when `beginLaunch` used `bindIdToken`. */
  readonly nonceProof?: string
}

/** The parameters that decide the outcome. */
const DECISIVE = ['code', 'state', 'iss', 'error']
const PARAMETERS = [...DECISIVE, 'error_description', 'error_uri']

type Outcome = { readonly callback: Callback } | { readonly error: unknown }

/** The outcome of a page's callback, and the query after it. */
const outcomes = new WeakMap<object, { readonly search: string; readonly outcome: Outcome }>()

/**
 * Returns the code of this callback, after all checks. A second call on one page (React's StrictMode) has the
 * outcome of the first. Spec §2.2, §7; RFC 9207 §2.4.
 * @throws AppKitError missing_oauth_parameters, csrf_validation_failed, issuer_mismatch,
 * authorization_failed (with `oauthError` and `traceId`), storage_unavailable
 * @example const { code, codeVerifier, nonceProof } = readCallback()
 */
export function readCallback(options: CallbackOptions = {}, page: Page = thisPage()): Callback {
  const known = outcomes.get(page)
  const outcome =
    known && known.search === page.location.search ? known.outcome : settle(options, page)
  outcomes.set(page, { search: page.location.search, outcome })
  if ('error' in outcome) throw outcome.error
  return outcome.callback
}

function settle(options: CallbackOptions, page: Page): Outcome {
  const parameters = new URLSearchParams(page.location.search)
  try {
    const callback = check(parameters, options, page)
    cleanAddress(page, parameters, options.keepCode === true)
    watchForInit(page)
    return { callback }
  } catch (error) {
    cleanAddress(page, parameters, false)
    reportFailure(page, error)
    return { error }
  }
}

function check(parameters: URLSearchParams, options: CallbackOptions, page: Page): Callback {
  const code = parameters.get('code')
  const state = parameters.get('state')
  const error = parameters.get('error')
  const problems = findProblems(parameters)
  if (problems || !state) {
    const refusal = readRefusal(parameters)
    const { oauthError } = refusal
    const because = oauthError ? `, because authorize refused the request (${oauthError})` : ''
    throw new AppKitError('missing_oauth_parameters', 'Missing OAuth parameters', {
      detail: `the callback has ${problems}${because}.`,
      fix: `${LAUNCH_AGAIN} A reloaded callback page has no code any more: a code works once.`,
      ...refusal,
    })
  }
  const checked = redeemState(page, state)
  if (!checked) {
    throw new AppKitError('csrf_validation_failed', 'CSRF validation failed', {
      detail: explainState(page, state),
      fix: `${LAUNCH_AGAIN} The callback address of another site, or of another tab, is refused here.`,
    })
  }
  const { launchId, stored } = checked
  refuseOtherIssuer(parameters.get('iss'), options.issuer ?? stored.issuer)
  if (error || !code) {
    throw describeAuthorizeError(error ?? '', parameters.get('error_description'))
  }
  const { codeVerifier, nonceProof } = stored
  return {
    ...{ code, launchId },
    ...(codeVerifier === undefined ? {} : { codeVerifier }),
    ...(nonceProof === undefined ? {} : { nonceProof }),
  }
}

/**
 * Authorize refuses a request without state too, and cannot return one. Its code and trace id lead to
 * the cause; its text may be an attacker's, because nothing binds this callback to the tab.
 */
function readRefusal(parameters: URLSearchParams): {
  readonly oauthError?: string
  readonly traceId?: string
} {
  const error = parameters.get('error') ?? ''
  if (parameters.has('state') || !isAuthorizeError(error)) return {}
  const [, traceId] =
    /\(trace ([0-9a-f]{32})\)$/.exec(parameters.get('error_description') ?? '') ?? []
  return { oauthError: error, ...(traceId === undefined ? {} : { traceId }) }
}

/** Each by name. A repeated parameter counts as missing: readers differ (RFC 6749 3.1). */
function findProblems(parameters: URLSearchParams): string {
  const isMissing = (name: string) => !parameters.get(name)
  const missing = [
    ...(isMissing('code') && isMissing('error') ? ['no code'] : []),
    ...(isMissing('state') ? ['no state'] : []),
  ]
  const doubled = DECISIVE.filter((name) => parameters.getAll(name).length > 1)
  return [...missing, ...doubled.map((name) => `${name} more than once`)].join(' and ')
}

/** A stranger can send a callback too: what it names is not trusted, and cut. */
const MAX_SHOWN = 100

function refuseOtherIssuer(named: string | null, expected: string): void {
  if (named === null || named === expected) return
  throw new AppKitError('issuer_mismatch', 'The callback came from another issuer.', {
    fix: `It names ${named.slice(0, MAX_SHOWN)}; expected is ${expected}. Check baseUrl: localhost and 127.0.0.1 are two. If the service has another issuer, pass it as issuer to beginLaunch.`,
  })
}

/** Keeps the own query of the registered redirect URI. */
function cleanAddress(page: Page, parameters: URLSearchParams, keepCode: boolean): void {
  const { pathname, hash } = page.location
  for (const name of PARAMETERS) if (name !== 'code' || !keepCode) parameters.delete(name)
  const rest = parameters.toString()
  page.history.replaceState(page.history.state, '', `${pathname}${rest && `?${rest}`}${hash}`)
}

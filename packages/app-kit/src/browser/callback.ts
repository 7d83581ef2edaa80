// The callback page: checks the answer of authorize before the page fetches anything. Removes code
// and state from the address, and the stored value from the tab. Sends nothing itself. Spec §2.2,
// §7; RFC 9207 2.4; security H02, R05-R07, R12.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { type Page, thisPage } from './page.ts'
import { redeemState } from './state.ts'

export interface CallbackOptions {
  /** Must equal `iss` of the callback. Default: the issuer that `beginLaunch` went to. */
  readonly issuer?: string
  /**
   * Leaves `code` in the address, for an SDK script that is loaded later and posts it to the
   * registered token endpoint (spec §5.2). A script that was loaded before has read it already.
   * Default false.
   */
  readonly keepCode?: boolean
}

export interface Callback {
  /** Single use; good for one exchange. */
  readonly code: string
  readonly launchId: string
  /** Present when `beginLaunch` used `pkce`; goes into the exchange. */
  readonly codeVerifier?: string
}

/** The parameters that decide the outcome. */
const DECISIVE = ['code', 'state', 'iss', 'error']
const PARAMETERS = [...DECISIVE, 'error_description', 'error_uri']

type Outcome = { readonly callback: Callback } | { readonly error: unknown }

/** The outcome of a page's callback, and the query after it. */
const outcomes = new WeakMap<object, { readonly search: string; readonly outcome: Outcome }>()

/**
 * The code of this callback, after all checks. A second call on one page (React's StrictMode) has
 * the outcome of the first.
 * @throws AppKitError missing_oauth_parameters, csrf_validation_failed, issuer_mismatch,
 * authorization_failed (with `oauthError` and `traceId`), storage_unavailable
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
    return { callback }
  } catch (error) {
    cleanAddress(page, parameters, false)
    return { error }
  }
}

function check(parameters: URLSearchParams, options: CallbackOptions, page: Page): Callback {
  const code = parameters.get('code')
  const state = parameters.get('state')
  const error = parameters.get('error')
  // A repeated parameter counts as missing, because readers differ in which value they use
  // (RFC 6749 3.1).
  const isDoubled = DECISIVE.some((name) => parameters.getAll(name).length > 1)
  if ((!code && !error) || !state || isDoubled) {
    throw new AppKitError('missing_oauth_parameters', 'Missing OAuth parameters', {
      fix: `${LAUNCH_AGAIN} A reloaded callback page has no code any more: a code works once.`,
    })
  }
  const checked = redeemState(page, state)
  if (!checked) {
    throw new AppKitError('csrf_validation_failed', 'CSRF validation failed', {
      fix: `${LAUNCH_AGAIN} The callback address of another site, or of another tab, is refused here.`,
    })
  }
  const { launchId, stored } = checked
  refuseOtherIssuer(parameters.get('iss'), options.issuer ?? stored.issuer)
  if (error || !code) throw authorizationFailed(error ?? '', parameters.get('error_description'))
  const { codeVerifier } = stored
  return codeVerifier === undefined ? { code, launchId } : { code, launchId, codeVerifier }
}

function refuseOtherIssuer(named: string | null, expected: string): void {
  if (named === null || named === expected) return
  throw new AppKitError('issuer_mismatch', 'The callback came from another issuer.', {
    fix: `Expected ${expected}. If the service has another issuer, pass it as issuer to beginLaunch.`,
  })
}

/** The service ends its description with the trace id of the refusal. */
function authorizationFailed(oauthError: string, description: string | null): AppKitError {
  const text = description ?? 'The launch was not authorized.'
  const [, cause = text, traceId] = /^(.*\S)\s*\(trace ([\w-]+)\)$/.exec(text) ?? []
  return new AppKitError('authorization_failed', cause, {
    fix: `${LAUNCH_AGAIN} A launch can be used once, and only while it is live.`,
    oauthError,
    ...(traceId === undefined ? {} : { traceId }),
  })
}

/** Keeps the own query of the registered redirect URI. */
function cleanAddress(page: Page, parameters: URLSearchParams, keepCode: boolean): void {
  const { pathname, hash } = page.location
  for (const name of PARAMETERS) if (name !== 'code' || !keepCode) parameters.delete(name)
  const rest = parameters.toString()
  page.history.replaceState(page.history.state, '', `${pathname}${rest && `?${rest}`}${hash}`)
}

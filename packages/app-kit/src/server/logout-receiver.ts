// The address at which the service says that an EHR session ended: checks the logout token and calls the app,
// which ends its own sessions. Answers 204, 400 for a token that is not for this app, 500 when the app
// fails, so that the service sends it again. OpenID Connect Back-Channel Logout 1.0, 2.5 to 2.7.
import { IdTokenError } from './errors.ts'
import { readSigned } from './id-token.ts'
import { createKeySet } from './key-set.ts'
import { requireOurs, requireText } from './launch-identity.ts'
import { isRecord, readText } from './read-text.ts'
import {
  requireAlg,
  requireText as requireOption,
  requireRange,
  requireUrl,
  type SignedResponseAlg,
} from './require-option.ts'

/** The end of one EHR session of one person. */
export interface Logout {
  /** The value of `sub` in the ID token, and of `userId` in the identity. */
  readonly sub: string
  /** The value of `sid` in the ID token, and of `sessionId` in the identity. */
  readonly sid: string
  /** The same when the service sends this notice again. */
  readonly txn: string
}

/** Required options may come directly from the environment: undefined is refused by name. */
export interface LogoutReceiverOptions {
  /** The `{issuer_url}` of the service, to the byte: `{base_url}/app-auth`. */
  readonly issuer: string | undefined
  /** The client ID (`cli_…`), not the app's id. */
  readonly clientId: string | undefined
  /**
   * Ends what the app keeps for `sid`. It may be called twice for one end. When it rejects, the service tries again.
   */
  readonly onLogout: (logout: Logout) => unknown
  /** Default `{issuer}/.well-known/jwks.json`. */
  readonly jwksUri?: string
  /** The option of `createAppKit`: it signs logout tokens too. Default `RS256`. */
  readonly idTokenSignedResponseAlg?: SignedResponseAlg | undefined
  /** The accepted clock difference, 0 to 60. Default 30. */
  readonly clockToleranceSeconds?: number
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const LOGOUT_TOKEN = /^(application\/)?logout\+jwt$/i
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_BYTES = 32_768
const KEYS = { maxAgeMs: 300_000, cooldownMs: 30_000 }

/**
 * Makes the handler of the registered `backchannelLogoutUri`, from Request to Response. It never rejects. A
 * token that cannot be checked because the keys are away is answered with 500, so that the service sends it
 * again. OpenID Connect Back-Channel Logout 1.0.
 * @throws TypeError when an option is missing or wrong
 * @example const receive = createLogoutReceiver({ issuer, clientId, onLogout: ({ sid }) => sessions.endAll(sid) })
 */
export function createLogoutReceiver(
  options: LogoutReceiverOptions,
): (request: Request) => Promise<Response> {
  const name = (option: string) => `createLogoutReceiver: ${option}`
  const issuer = requireUrl(name('issuer'), options.issuer, true)
  const clientId = requireOption(name('clientId'), options.clientId)
  const toleranceSeconds = requireRange(
    name('clockToleranceSeconds'),
    options.clockToleranceSeconds ?? 30,
    60,
  )
  const now = options.now ?? (() => Date.now())
  const fetchFrom: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  const jwksUri = options.jwksUri ?? `${issuer}/.well-known/jwks.json`
  const alg = requireAlg(name('idTokenSignedResponseAlg'), options.idTokenSignedResponseAlg)
  const keys = createKeySet(jwksUri, alg, fetchFrom, { ...KEYS, now })

  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'Post a form with logout_token.')
    const token = await readToken(request).catch(() => undefined)
    if (!token) return refuse(400, 'The form has no logout_token, or more than one.')
    try {
      const claims = await readSigned(token, LOGOUT_TOKEN, keys)
      requireOurs(claims, { issuer, clientId, toleranceSeconds, now: now() })
      await options.onLogout(parseLogout(claims))
      return new Response(null, { status: 204, headers: NO_STORE })
    } catch (error) {
      if (!(error instanceof IdTokenError)) return refuse(500, 'The app could not end its session.')
      const status = error.code === 'keys_unavailable' ? 500 : 400
      return refuse(status, error.message)
    }
  }
}

const NO_STORE = { 'cache-control': 'no-store' }

const refuse = (status: number, description: string): Response =>
  Response.json(
    { error: 'invalid_request', error_description: description },
    { status, headers: NO_STORE },
  )

async function readToken(request: Request): Promise<string | undefined> {
  const text = await readText(request, MAX_BYTES)
  const sent = new URLSearchParams(text).getAll('logout_token')
  return sent.length === 1 ? sent[0] : undefined
}

/** @throws IdTokenError */
function parseLogout(claims: Record<string, unknown>): Logout {
  const { events } = claims
  if (!isRecord(events) || !isRecord(events[EVENT])) {
    throw new IdTokenError('claim_missing', 'events does not say that a session ended.')
  }
  // It tells a logout token from an ID token, which someone may have taken from a page.
  if ('nonce' in claims) {
    throw new IdTokenError('header_refused', 'A logout token has no nonce; this is an ID token.')
  }
  requireText(claims, 'jti')
  return {
    sub: requireText(claims, 'sub'),
    sid: requireText(claims, 'sid'),
    txn: typeof claims.txn === 'string' ? claims.txn : '',
  }
}

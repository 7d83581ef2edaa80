// The rules of logout notices: the claims of a logout token, what an answer means, and when the next attempt
// is. Pure. OpenID Connect Back-Channel Logout 1.0; contract §12.
import { hash } from 'node:crypto'

export const ANSWER_MS = 5_000
/** Of a logout token, in seconds. */
const TOKEN_SECONDS = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** After the first attempt and each further one; after the last the notice is given up. */
export const RETRY_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
]

export const LOGOUT_OUTCOMES = [
  /** 200 or 204. */
  'delivered',
  /** 400: the app does not accept the token. Final. */
  'refused',
  /** 410: the app wants no more notices; its address was removed. */
  'switched_off',
  'will_retry',
  'given_up',
  /** The app has no address any more. */
  'no_address',
] as const
export type LogoutOutcome = (typeof LOGOUT_OUTCOMES)[number]

/** What came back: a status, or why there was none. */
export interface LogoutAnswer {
  readonly status: number | undefined
  /** The first characters of the body, or the problem of the connection. */
  readonly answer: string
}

/** @param attempts those before this one */
export function decideLogoutOutcome(
  { status }: LogoutAnswer,
  attempts: number,
): Exclude<LogoutOutcome, 'no_address'> {
  if (status === 200 || status === 204) return 'delivered'
  if (status === 400) return 'refused'
  if (status === 410) return 'switched_off'
  return attempts < RETRY_MS.length ? 'will_retry' : 'given_up'
}

/**
 * Milliseconds until the next attempt, up to a fifth more or less, so that the notices of an hour do not
 * come back together.
 * @param share from 0 to 1, random
 */
export const decideRetryMs = (attempts: number, share: number): number =>
  Math.round((RETRY_MS[attempts] ?? 0) * (0.8 + 0.4 * share))

export interface LogoutNotice {
  readonly sessionId: string
  readonly appId: string
  readonly userId: string
}

/** The same for all attempts of one notice, so that a receiver knows a repetition. RFC 8417 2.2. */
export const transactionOf = ({ sessionId, appId }: LogoutNotice): string =>
  `evt_${hash('sha256', `${sessionId} ${appId}`, 'hex').slice(0, 22)}`

interface LogoutTokenFacts {
  readonly issuer: string
  readonly clientId: string
  readonly notice: LogoutNotice
  /** Fresh for each attempt. */
  readonly jti: string
  /** Milliseconds. */
  readonly now: number
}

/** No nonce, which tells it from an ID token; no name and no reason. Times in seconds. */
export function buildLogoutClaims(facts: LogoutTokenFacts): Record<string, unknown> {
  const issuedAt = Math.floor(facts.now / 1000)
  return {
    iss: facts.issuer,
    aud: facts.clientId,
    iat: issuedAt,
    exp: issuedAt + TOKEN_SECONDS,
    jti: facts.jti,
    txn: transactionOf(facts.notice),
    sub: facts.notice.userId,
    sid: facts.notice.sessionId,
    events: { [EVENT]: {} },
  }
}

const MAX_ANSWER = 300

/** Text of a foreign server: printable, cut, and without what looks like a token. */
export const cutAnswer = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/[\w-]{20,}\.[\w-]{20,}(\.[\w-]*)?/g, '[token]')
    .trim()
    .slice(0, MAX_ANSWER)

/** On the row of a launch: outcome and time. */
export const formatLogoutNotice = (outcome: LogoutOutcome, at: number): string => `${outcome} ${at}`

export function parseLogoutNotice(
  text: string | undefined,
): { readonly outcome: LogoutOutcome; readonly at: number } | undefined {
  const [outcome, at] = text?.split(' ') ?? []
  return outcome === undefined ? undefined : { outcome: outcome as LogoutOutcome, at: Number(at) }
}

const EXPLANATIONS: Readonly<Record<LogoutOutcome, string>> = {
  delivered: 'The server of the app was notified that the session ended.',
  refused: 'The server of the app refused the logout notice with 400.',
  switched_off: 'The server of the app answered 410, so it gets no more logout notices.',
  will_retry: 'The server of the app has not taken the logout notice yet.',
  given_up: 'The server of the app did not take the logout notice in 31 hours.',
  no_address: 'The app had no address for logout notices any more.',
}

/** A sentence for the timeline of a launch. */
export const explainLogoutOutcome = (outcome: LogoutOutcome): string => EXPLANATIONS[outcome]

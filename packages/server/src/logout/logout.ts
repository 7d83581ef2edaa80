// The rules of logout notices: the claims of a logout token, and what an answer means; the outbox has the times
// of the attempts. Pure. OpenID Connect Back-Channel Logout 1.0; contract §12.
import { hash } from 'node:crypto'
import { type NoticeAnswer, RETRY_MS } from '../outbox/outbox.ts'

/** The lifetime of a logout token, in seconds. */
const TOKEN_SECONDS = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export const LOGOUT_OUTCOMES = [
  /** The answer was 200 or 204. */
  'delivered',
  /** The answer was 400: the app does not accept the token. Final. */
  'refused',
  /** The answer was 410: the app wants no more notices; its address was removed. */
  'switched_off',
  'will_retry',
  'given_up',
  /** The app has no address any more. */
  'no_address',
] as const
export type LogoutOutcome = (typeof LOGOUT_OUTCOMES)[number]

/** @param attempts those before this one */
export function decideLogoutOutcome(
  { status }: NoticeAnswer,
  attempts: number,
): Exclude<LogoutOutcome, 'no_address'> {
  if (status === 200 || status === 204) return 'delivered'
  if (status === 400) return 'refused'
  if (status === 410) return 'switched_off'
  return attempts < RETRY_MS.length ? 'will_retry' : 'given_up'
}

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
  /** The `jti` is fresh for each attempt. */
  readonly jti: string
  /** The time in milliseconds. */
  readonly now: number
}

/** Builds claims without a nonce, which tells it from an ID token; no name and no reason. Times are in seconds. */
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

/** Formats the outcome and its time for the row of a launch. */
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

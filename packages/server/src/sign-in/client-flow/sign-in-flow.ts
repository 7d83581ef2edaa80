// The sign-in flow of a client without cookies, such as the extension: what it sends, how long it
// lasts, and in which state a poll finds it. Pure. Contract §3; the idea is RFC 8628's.
import { CHALLENGE, SESSION_ID, VERIFIER } from '@chartside/protocol/sign-in'
import { hashBearer, isSameHash } from '../../kernel/identifiers.ts'

export const FLOW_LIFETIME_MS = 10 * 60_000
/** A delivered flow is kept for so long, so that a second poll gets the same error all the while. */
export const DELIVERED_FLOW_KEPT_MS = 60 * 60_000
export const POLL_INTERVAL_SECONDS = 2

export interface SignInFlow {
  readonly sessionHash: string
  readonly challenge: string
  readonly expiresAt: number
  readonly approvedAt: number | undefined
  readonly deliveredAt: number | undefined
}

/** The query of the sign-in page. */
export interface FlowRequest {
  readonly sessionId: string
  readonly challenge: string
}

export function parseFlowRequest(
  fields: Readonly<Record<string, string | undefined>>,
): FlowRequest | undefined {
  const { session_id: sessionId = '', challenge = '' } = fields
  return SESSION_ID.test(sessionId) && CHALLENGE.test(challenge)
    ? { sessionId, challenge }
    : undefined
}

/** The verifier of `Authorization: Bearer …`: a header stays out of logs of addresses. */
export function parseVerifier(authorization: string | undefined): string | undefined {
  const [, verifier = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return VERIFIER.test(verifier) ? verifier : undefined
}

export type FlowState = 'unknown' | 'pending' | 'approved' | 'delivered'

/** A wrong verifier and an unknown flow give the same state. */
export function decideFlowState(
  flow: SignInFlow | undefined,
  verifier: string,
  now: number,
): FlowState {
  if (!flow || !isSameHash(hashBearer(verifier), flow.challenge)) return 'unknown'
  if (flow.deliveredAt !== undefined) return 'delivered'
  if (flow.expiresAt <= now) return 'unknown'
  return flow.approvedAt === undefined ? 'pending' : 'approved'
}

/** Whether a user may still sign in for this flow: it has not expired and is not approved. */
export const isOpen = (flow: SignInFlow, challenge: string, now: number): boolean =>
  flow.challenge === challenge && flow.approvedAt === undefined && flow.expiresAt > now

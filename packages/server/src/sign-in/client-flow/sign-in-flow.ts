// Owns what a client and a browser tab share while somebody signs in: how long it lasts, what they
// must send, and what a waiting client is told. Pure. Contract §3.
import { CHALLENGE, SESSION_ID, VERIFIER } from '@chartside/protocol/sign-in'
import { hashBearer, isSameHash } from '../../kernel/identifiers.ts'

export const FLOW_LIFETIME_MS = 10 * 60_000
/** What a client that asks too late is told stays true for so long. */
export const FLOW_KEPT_MS = 60 * 60_000
export const POLL_EVERY_SECONDS = 2

export interface SignInFlow {
  readonly sessionHash: string
  readonly challenge: string
  readonly expiresAt: number
  readonly approvedAt: number | undefined
  readonly deliveredAt: number | undefined
}

/** What the address of the sign-in page carries. */
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

/** The verifier of `Authorization: Bearer …`: it stays out of every log of addresses. */
export function parseVerifier(authorization: string | undefined): string | undefined {
  const [, verifier = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return VERIFIER.test(verifier) ? verifier : undefined
}

export type FlowState = 'unknown' | 'pending' | 'approved' | 'delivered'

/** A wrong verifier and an unknown flow are the same to who asks. */
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

/** Whether a browser may still begin here: the client waits, and nobody has signed in for it. */
export const isOpen = (flow: SignInFlow, challenge: string, now: number): boolean =>
  flow.challenge === challenge && flow.approvedAt === undefined && flow.expiresAt > now

// The sign-in flow of a client without cookies, such as the extension: what it sends, how long it
// lasts, and in which state a poll finds it. Pure. Contract §3; the idea is RFC 8628's.
import { CHALLENGE, SESSION_ID, VERIFIER } from '@chartside/protocol/sign-in'
import { hashBearer, isSameHash } from '../../kernel/identifiers.ts'

export const FLOW_LIFETIME_MS = 10 * 60_000
/**
 * A delivered flow is kept for so long: a second poll gets the same error all the while, and a browser that
 * approved it is known by it until then.
 */
export const DELIVERED_FLOW_KEPT_MS = 13 * 60 * 60_000
export const POLL_INTERVAL_SECONDS = 2

export interface SignInFlow {
  readonly sessionHash: string
  readonly challenge: string
  readonly expiresAt: number
  readonly approvedAt: number | undefined
  readonly deliveredAt: number | undefined
  /** The extension to whose page the approval goes; undefined for a client without a browser. */
  readonly hostOrigin: string | undefined
  /** The hash is set once approved, where there is a host origin: only the poll that shows it is answered. */
  readonly proofHash: string | undefined
  /** The network of the last poll of a program, which has no browser to bind it to. */
  readonly askedFrom: string | undefined
  /** The network is set once approved without a typed code: only polls of this network are answered. */
  readonly approvedFor: string | undefined
}

/** The query of the sign-in page. */
export interface FlowRequest {
  readonly sessionId: string
  readonly challenge: string
  readonly hostOrigin: string | undefined
}

export function parseFlowRequest(
  fields: Readonly<Record<string, string | undefined>>,
): FlowRequest | undefined {
  const { session_id: sessionId = '', challenge = '', host_origin: hostOrigin } = fields
  return SESSION_ID.test(sessionId) && CHALLENGE.test(challenge)
    ? { sessionId, challenge, hostOrigin }
    : undefined
}

/** Parses `Authorization: Bearer …`: a header stays out of logs of addresses. */
export function parsePollBearer(
  authorization: string | undefined,
): { readonly verifier: string; readonly proof: string } | undefined {
  const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  const [verifier = '', proof = ''] = bearer.split('/')
  return VERIFIER.test(verifier) ? { verifier, proof } : undefined
}

/** The values that a client shows when it polls, and the network that it is in. */
export interface Poll {
  readonly verifier: string
  readonly proof: string
  readonly network: string
}

export type FlowState = 'unknown' | 'pending' | 'approved' | 'delivered'

/**
 * A wrong verifier and an unknown flow give the same state. Without the proof that only the browser of the
 * approval has, or from another network than that browser's, the flow waits: who made a link and sent it to another person learns nothing.
 */
export function decideFlowState(
  flow: SignInFlow | undefined,
  { verifier, proof, network }: Poll,
  now: number,
): FlowState {
  if (!flow || !isSameHash(hashBearer(verifier), flow.challenge)) return 'unknown'
  if (flow.deliveredAt !== undefined) return 'delivered'
  if (flow.expiresAt <= now) return 'unknown'
  const isProven = flow.proofHash === undefined || isSameHash(hashBearer(proof), flow.proofHash)
  const isElsewhere = flow.approvedFor !== undefined && flow.approvedFor !== network
  return flow.approvedAt === undefined || !isProven || isElsewhere ? 'pending' : 'approved'
}

/** Whether a user may still sign in for this flow: it has not expired and is not approved. */
export const isOpen = (
  flow: SignInFlow,
  { challenge, hostOrigin }: FlowRequest,
  now: number,
): boolean =>
  flow.challenge === challenge &&
  flow.hostOrigin === hostOrigin &&
  flow.approvedAt === undefined &&
  flow.expiresAt > now

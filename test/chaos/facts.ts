// What the service has promised in a run, flow by flow: each field is written only when the answer
// that promises it has arrived. Also what was asked and not answered. Plain data, no judgement.
import type { RegisteredApp } from '../process/story-verbs.ts'

export type FlowKind =
  /** Launch, authorize, exchange. */
  | 'plain'
  /** The code is exchanged twice at the same time over two connections. */
  | 'raced'
  /** The token is looked up, revoked and looked up again. */
  | 'revoked'
  /** The code is exchanged only after the run. */
  | 'unredeemed'

export interface FlowFact {
  readonly kind: FlowKind
  /** The launch, from its 201. */
  readonly id: string
  readonly launchId: string
  /** From the last 302. */
  code?: string
  /** The authorize request was repeated after its answer was lost. */
  isReauthorized?: true
  /** From every 200 of the token endpoint for this code. */
  readonly tokens: string[]
  /** The code was sent to the token endpoint and the answer never came. */
  isUnknown?: true
  /** Another exchange of the code was refused, so its token must be dead. */
  isReplayed?: true
  /** Revocation answered with 200. */
  isRevoked?: true
}

export interface AppFact extends RegisteredApp {
  /** The state of its only secret: live, retired with a 204, or a request without an answer. */
  secretState: 'live' | 'retired' | 'unknown'
}

export interface Facts {
  readonly flows: FlowFact[]
  readonly apps: AppFact[]
  /** Answers that a healthy service never gives. */
  readonly unexpectedAnswers: string[]
  /** An acknowledged token was not alive, or a revoked one was, right after the answer. */
  readonly staleReads: string[]
  /** ID tokens that a relying party refuses, and why. */
  readonly badIdTokens: string[]
  idTokens: number
  /** The last ID token that each key signed, to be verified with the keys of every node. */
  readonly lastOfKey: Map<string, { readonly idToken: string; readonly launchId: string }>
}

export const emptyFacts = (): Facts => ({
  flows: [],
  apps: [],
  unexpectedAnswers: [],
  staleReads: [],
  badIdTokens: [],
  idTokens: 0,
  lastOfKey: new Map(),
})

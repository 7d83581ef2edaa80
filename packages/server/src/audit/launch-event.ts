// Builds the audit events of a launch's steps for the handlers of the steps. Pure except for the random
// number. The store inserts each in the write that it records.
import type { Randomness } from '../kernel/randomness.ts'
import { type LaunchEvent, newEntryNumber } from './audit-entry.ts'

export type LaunchAction = 'launch' | 'authorize' | 'exchange' | 'replay' | 'revoke'

interface Step {
  readonly action: LaunchAction
  /** A person for what a browser does, a client for what an app's server does. */
  readonly actor: string
  /** The app. */
  readonly target: string
  readonly launchId: string
  /** The reason why it was refused; absent when it was not. */
  readonly reason?: string
  /** The method by which the app authenticated, where it is not by a secret, and the kid of its key. */
  readonly authentication?: Readonly<Record<string, string>>
}

export function buildLaunchEvent(
  { randomness }: { readonly randomness: Randomness },
  call: { readonly now: number; readonly address: string; readonly traceId: string },
  { reason, authentication, ...step }: Step,
): LaunchEvent {
  return {
    ...step,
    n: newEntryNumber(randomness),
    at: call.now,
    ip: call.address,
    outcome: reason === undefined ? 'ok' : 'refused',
    detail: { trace: call.traceId, ...authentication, ...(reason === undefined ? {} : { reason }) },
  }
}

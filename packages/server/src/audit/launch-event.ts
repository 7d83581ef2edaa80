// Builds the audit events of a launch's steps for the handlers of the steps. Pure except for the random
// identifier. The store inserts each in the write that it records.
import { newId } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'
import type { LaunchEvent } from './audit-store.ts'

export type LaunchAction = 'launch' | 'authorize' | 'exchange' | 'replay' | 'revoke'

interface Step {
  readonly action: LaunchAction
  /** A person for what a browser does, a client for what an app's server does. */
  readonly actor: string
  /** The app. */
  readonly target: string
  readonly launchId: string
  /** Why it was refused; absent when it was not. */
  readonly reason?: string
}

export const buildLaunchEvent = (
  { randomness }: { readonly randomness: Randomness },
  call: { readonly now: number; readonly address: string; readonly traceId: string },
  { reason, ...step }: Step,
): LaunchEvent => ({
  ...step,
  id: newId('evt', call.now, randomness),
  at: call.now,
  ip: call.address,
  outcome: reason === undefined ? 'ok' : 'refused',
  detail: { trace: call.traceId, ...(reason === undefined ? {} : { reason }) },
})

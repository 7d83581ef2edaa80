// The state machine of a launch: one state for tab, panel and timeline. Pure: a state and an event
// give the next state. A failure counts until the session context follows it; the first step that
// failed, or that did not happen, is the one that is named. Contract §5.
import type { EndReason } from '@chartside/protocol/handshake'
import {
  type Launch,
  type LaunchStep,
  type LaunchStepName,
  parseEndReason,
} from '@chartside/protocol/launch'
import { isSilence } from '@chartside/protocol/launch-steps'
import type { HostEvent } from './events.ts'
import { withMissingStep } from './missing-step.ts'

export type LaunchState =
  | { readonly kind: 'not_started' }
  /** The app opens. Without a hello the frame may show anything, also an error page of the browser. */
  | { readonly kind: 'opening'; readonly hasHello: boolean; readonly isSlow: boolean }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'failed'
      readonly hasHello: boolean
      readonly step: LaunchStepName
      readonly code: string
      readonly cause: string
      readonly fix: string
    }
  | { readonly kind: 'ended'; readonly hasHello: boolean; readonly reason: EndReason }
  /** The service does not launch the app in this session. */
  | { readonly kind: 'disabled'; readonly cause: string }

/** The events that only the page that opens an app knows: it asked for a launch, or got none. */
export type OpeningEvent =
  | { readonly type: 'requested' }
  | { readonly type: 'not_launched'; readonly code: string; readonly message: string }

export const NOT_STARTED: LaunchState = { kind: 'not_started' }
const OPENING = { kind: 'opening', hasHello: false, isSlow: false } as const

/**
 * Returns the state of a launch after an event of the host. Pure. Never throws. Contract §5.
 * @example const next = nextLaunchState(NOT_STARTED, event)
 */
export function nextLaunchState(state: LaunchState, event: HostEvent | OpeningEvent): LaunchState {
  const hasHello = 'hasHello' in state ? state.hasHello : state.kind === 'ready'
  switch (event.type) {
    case 'requested':
    case 'opened':
      return OPENING
    case 'not_launched':
      return event.code === 'app_not_available'
        ? { kind: 'disabled', cause: event.message }
        : fail(false, 'created', event.code, event.message, '')
    case 'slow':
      return state.kind === 'opening' ? { ...state, isSlow: true } : state
    case 'handshake':
      return state.kind === 'failed' ? { ...state, hasHello: true } : { ...OPENING, hasHello: true }
    case 'context':
      return { kind: 'ready' }
    case 'refused':
      if (state.kind === 'failed' || state.kind === 'ended') return state
      return fail(hasHello, event.step, event.code, event.message, event.fix)
    case 'hello_timeout':
      if (state.kind !== 'opening') return state
      return fail(hasHello, event.step, event.code, event.message, event.fix)
    case 'ended':
      return state.kind === 'failed' || isEnd(state, event.reason)
        ? state
        : end(event.reason, hasHello)
    case 'launch':
      return applyView(state, event.view, hasHello)
    default:
      return state
  }
}

function applyView(state: LaunchState, view: Launch, hasHello: boolean): LaunchState {
  const steps = withMissingStep(view.steps)
  const contextAt = steps.findLastIndex(isContext)
  const current = steps.slice(contextAt + 1)
  // Older than the context, of which the host knows already.
  const isStale = state.kind === 'ready' && contextAt < 0
  const failed = isStale ? undefined : current.find((step, at) => isUnresolved(step, current, at))
  if (failed) {
    const { step, code = 'failed', cause = '', fix = '' } = failed
    // The words of the host for its own report are more precise than the recorded step.
    if (state.kind === 'failed' && state.code.toUpperCase() === code.toUpperCase()) return state
    return fail(hasHello, step, code, cause, fix)
  }
  if (state.kind === 'ended') return state
  if (view.state === 'expired') return end('expired', hasHello)
  if (view.state === 'ended') return end(parseEndReason(view.ended?.reason) ?? 'revoked', hasHello)
  if (contextAt >= 0) return { kind: 'ready' }
  const recorded =
    state.kind === 'failed' ? view.steps.find(({ code }) => code === state.code) : undefined
  const wentOn = recorded !== undefined && isSilence(recorded)
  return state.kind === 'not_started' || wentOn ? { ...OPENING, hasHello } : state
}

/** The same step succeeded later, or any step did after a mere silence. */
function isUnresolved(failed: LaunchStep, steps: readonly LaunchStep[], at: number): boolean {
  if (failed.outcome === 'ok') return false
  const later = steps.slice(at + 1).filter((next) => next.outcome === 'ok')
  return !later.some((next) => next.step === failed.step || isSilence(failed))
}

const isContext = ({ step, outcome }: LaunchStep) => step === 'context' && outcome === 'ok'

/** The first reason stands: a page that is closed later did not end the launch. */
const isEnd = (state: LaunchState, reason: EndReason) =>
  state.kind === 'ended' && (reason === 'closed' || state.reason === reason)

const end = (reason: EndReason, hasHello: boolean): LaunchState => ({
  kind: 'ended',
  hasHello,
  reason,
})

const fail = (
  hasHello: boolean,
  step: LaunchStepName,
  code: string,
  cause: string,
  fix: string,
): LaunchState => ({ kind: 'failed', hasHello, step, code, cause, fix })

/**
 * Keeps the states of all launches of a host, by its events. Never throws. Contract §5.
 * @example const states = new LaunchStates(); states.find(launch).kind
 */
export class LaunchStates {
  readonly #states = new Map<string, LaunchState>()

  find(launch: string): LaunchState {
    return this.#states.get(launch) ?? NOT_STARTED
  }

  /** The launch and its next state, or null when the event changes none. */
  apply(event: HostEvent): { readonly launch: string; readonly state: LaunchState } | null {
    const launch = 'launch' in event ? event.launch : 'view' in event ? event.view.id : null
    if (launch === null) return null
    const state = nextLaunchState(this.find(launch), event)
    if (state === this.#states.get(launch)) return null
    this.#states.set(launch, state)
    return { launch, state }
  }
}

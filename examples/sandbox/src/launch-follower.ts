// Follows launches through the public API and reports each step once, as it happens: the terminal
// shows the same steps, reasons and fixes as the timeline in the page. Reads only.
import { withMissingStep } from '@chartside/host/missing-step'
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
import { nameFailedStep } from '@chartside/protocol/launch-steps'
import type { ShownState } from './launch-words.ts'

export interface FollowerOptions {
  findLaunch(id: string): Promise<Launch | null>
  onStep(view: Launch, step: LaunchStep): void
  /** Runs after the steps that lead to it. */
  onState(view: Launch, state: ShownState): void
  readonly intervalMs?: number
}

/** A launch without a new step for this long is not polled until the service names it again. */
const IDLE_TIMEOUT_MS = 20_000
const POLL_INTERVAL_MS = 150
/** The pause for a launch that shows nothing new; the service names most of those that do. */
const QUIET_INTERVAL_MS = 2_000
/** The longest pause while look-ups fail. */
const MAX_POLL_INTERVAL_MS = 5_000

interface Followed {
  readonly until: number
  readonly waitMs: number
  readonly dueAt: number
}

export class LaunchFollower {
  readonly #options: FollowerOptions
  readonly #reported = new Map<string, Set<string>>()
  readonly #states = new Map<string, ShownState['kind']>()
  readonly #followed = new Map<string, Followed>()
  #timer: NodeJS.Timeout | undefined
  #failures = 0

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  follow(id: string): void {
    this.#followSoon(id)
    if (!this.#timer) this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#followed.clear()
  }

  get #interval(): number {
    return this.#options.intervalMs ?? POLL_INTERVAL_MS
  }

  #followSoon(id: string): void {
    const now = Date.now()
    this.#followed.set(id, {
      until: now + IDLE_TIMEOUT_MS,
      waitMs: this.#interval,
      dueAt: now + this.#interval,
    })
  }

  #schedule(): void {
    const wait = this.#interval * 2 ** this.#failures
    this.#timer = setTimeout(() => void this.#poll(), Math.min(wait, MAX_POLL_INTERVAL_MS))
  }

  async #poll(): Promise<void> {
    const beganAt = Date.now()
    const due = [...this.#followed].filter(([, { dueAt }]) => dueAt <= beganAt)
    const views = await Promise.all(due.map(([id]) => this.#options.findLaunch(id)))
    if (due.length > 0) this.#failures = views.includes(null) ? this.#failures + 1 : 0
    for (const [index, [id, before]] of due.entries()) {
      const view = views[index]
      if (view && this.#report(view)) this.#followSoon(id)
      // Unless the service has named it meanwhile.
      else if (this.#followed.get(id) === before) this.#wait(id, before)
    }
    for (const [id, { until }] of this.#followed) {
      if (Date.now() > until) this.#followed.delete(id)
    }
    this.#timer = undefined
    if (this.#followed.size > 0) this.#schedule()
  }

  #wait(id: string, { until, waitMs }: Followed): void {
    const longer = Math.min(waitMs * 2, Math.max(QUIET_INTERVAL_MS, this.#interval))
    this.#followed.set(id, { until, waitMs: longer, dueAt: Date.now() + longer })
  }

  #report(view: Launch): boolean {
    const reported = this.#reported.get(view.id) ?? new Set()
    this.#reported.set(view.id, reported)
    let hasNew = false
    for (const step of withMissingStep(view.steps)) {
      const key = `${step.step} ${step.outcome} ${step.at}`
      if (reported.has(key)) continue
      reported.add(key)
      hasNew = true
      this.#options.onStep(view, step)
    }
    const state = decideState(view)
    const before = this.#states.get(view.id) ?? 'opening'
    this.#states.set(view.id, state.kind)
    if (state.kind !== before) this.#options.onState(view, state)
    return hasNew
  }
}

/**
 * Returns the state that the steps alone show, as the host's state machine decides it: a failure counts until
 * the session context follows it, and the first one is named.
 */
export function decideState({ steps: recorded, spans, state, ended }: Launch): ShownState {
  const steps = withMissingStep(recorded)
  const contextAt = steps.findLastIndex(
    ({ step, outcome }) => step === 'context' && outcome === 'ok',
  )
  const failed = steps.slice(contextAt + 1).find(({ outcome }) => outcome === 'failed')
  if (failed) return { kind: 'failed', step: nameFailedStep(spans, failed.step) }
  if (state === 'expired' || state === 'ended') {
    const hasHello = steps.some(({ step }) => step === 'handshake')
    const reason = ended?.reason ?? (state === 'expired' ? 'expired' : 'closed')
    return { kind: 'ended', reason, hasHello }
  }
  return { kind: contextAt < 0 ? 'opening' : 'ready' }
}

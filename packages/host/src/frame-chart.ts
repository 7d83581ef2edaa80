// The chart guard of one frame at work: applies events to the state machine of chart-guard.ts, runs its
// one timer, hides the iframe, and passes its effects on. It decides nothing. Contract §11.
import type { HostMessage } from '@chartside/protocol/handshake'
import {
  type Chart,
  type ChartEffect,
  type ChartEvent,
  type ChartGuardState,
  decideChart,
  isBackAtChart,
  isCoveredByChart,
  newChartGuard,
} from './chart-guard.ts'
import type { ChartReferences } from './chart-references.ts'
import type { Clock } from './clock.ts'
import type { ChartView } from './events.ts'
import type { ChartReport } from './service.ts'

export type ChartRules = Pick<ChartGuardState, 'policy' | 'mode' | 'kind'>

export interface FrameChartTarget {
  readonly appId: string
  send(message: HostMessage): void
  relaunch(): void
  report(chart: ChartReport, isOfReplaced: boolean): void
  /** Runs after each change of the view. */
  onView(): void
}

export class FrameChart {
  readonly #clock: Clock
  readonly #references: ChartReferences
  readonly #rules: ChartRules
  readonly #target: FrameChartTarget
  /** The state; null while the page does not say which chart is open. */
  #state: ChartGuardState | null = null
  #view: ChartView = { kind: 'shown', isChartOpen: false }
  #cancelWait = () => {}
  #sent: Promise<void> = Promise.resolve()

  constructor(
    clock: Clock,
    references: ChartReferences,
    rules: ChartRules,
    target: FrameChartTarget,
  ) {
    this.#clock = clock
    this.#references = references
    this.#rules = rules
    this.#target = target
  }

  get view(): ChartView {
    return this.#view
  }

  get isBack(): boolean {
    return this.#state !== null && isBackAtChart(this.#state)
  }

  /** The first one is that of the app: it was opened before the page named any. */
  set(chart: Chart): void {
    if (this.#state) this.apply({ type: 'chart_set', chart })
    else this.#state = newChartGuard(this.#rules, chart)
  }

  apply(event: ChartEvent): void {
    if (!this.#state) return
    const { state, effects } = decideChart(this.#state, event, this.#clock.now())
    this.#state = state
    const view = viewOf(state)
    const isChanged = JSON.stringify(view) !== JSON.stringify(this.#view)
    this.#view = view
    // Before anything else: the frame is covered in the same turn.
    if (isChanged) this.#target.onView()
    for (const effect of effects) this.#run(effect)
  }

  /**
   * Hides or shows the app, also in a new iframe, which is a copy of the one before. The app goes on
   * painting: after `visibility: hidden` the browser would show its last picture for a moment.
   */
  hide(element: HTMLIFrameElement): void {
    const isHidden = this.#view.kind === 'changing' || this.#view.kind === 'covered'
    if (isHidden) element.blur?.()
    element.inert = isHidden
    if (element.style) element.style.opacity = isHidden ? '0' : ''
  }

  stop(): void {
    this.#cancelWait()
  }

  #run(effect: ChartEffect): void {
    switch (effect.type) {
      case 'wait':
        this.#cancelWait()
        this.#cancelWait = this.#clock.after(effect.ms, () => this.apply({ type: 'waited' }))
        break
      case 'relaunch':
        this.#target.relaunch()
        break
      case 'report': {
        const { type: _, isOfReplaced = false, ...chart } = effect
        this.#target.report(chart, isOfReplaced)
        break
      }
      case 'send':
        this.#send(effect)
    }
  }

  /** Sends the messages in order, and leaves out one that a newer message has overtaken. */
  #send({ seq, chart }: Extract<ChartEffect, { type: 'send' }>): void {
    const found = this.#references.find(this.#target.appId, chart)
    this.#sent = this.#sent.then(async () => {
      const ref = await found
      if (this.#state?.seq === seq) this.#target.send({ type: 'chart', seq, ref })
    })
  }
}

function viewOf(state: ChartGuardState): ChartView {
  const isChartOpen = state.chart !== null
  if (!isCoveredByChart(state)) {
    const isEarlier = state.phase === 'earlier' && state.kind === 'ui'
    return { kind: isEarlier ? 'earlier' : 'shown', isChartOpen }
  }
  return { kind: state.phase === 'covered' ? 'covered' : 'changing', isChartOpen }
}

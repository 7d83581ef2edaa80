// Keeps an app from standing beside a chart for which it was not opened: the state machine of one frame.
// Pure: a state and an event give the next state and the effects. The page says which chart is open; the
// app is covered at once, and after a rest its policy decides. An app that was asked to switch counts as
// showing no chart until it answers the newest `seq`. An app that has not answered to its own chart yet is
// sent no other one, and has ten seconds from its session context to answer. Contract §11; security V40.
import type { ChartChangePolicy, ChartMode } from '@chartside/protocol/charts'
import type { AppKind, ChartHandling } from '@chartside/protocol/launch'

/** The chart as the page names it; null when no chart is open. */
export type Chart = string | null

export const CHART_REST_MS = 250
export const CHART_ANSWER_MS = 10_000

export type ChartPhase =
  | 'shown'
  /** The chart changed within the last moment, and may change back. */
  | 'resting'
  /** The app was asked to switch, or has its time to answer to its own chart. */
  | 'asking'
  | 'relaunching'
  /** The person decides. */
  | 'covered'
  /** The person goes on with the earlier chart. */
  | 'earlier'

export interface ChartGuardState {
  readonly policy: ChartChangePolicy
  readonly mode: ChartMode
  readonly kind: AppKind
  readonly phase: ChartPhase
  /** The chart beside the app, as the page said last. */
  readonly chart: Chart
  /** The chart in the app; undefined while it may show another one than the host knows. */
  readonly appChart: Chart | undefined
  /** The time at which the document got its session context; null before. */
  readonly readyAt: number | null
  /** It has answered a `chart` message: it can switch. */
  readonly isSubscribed: boolean
  readonly hasUnsavedWork: boolean
  readonly isEnded: boolean
  /** The number of the newest `chart` message of this launch; `sentChart` is the chart that it named. */
  readonly seq: number
  readonly sentChart: Chart
  /** Counts the changes beside this launch; `handled` is null until one is decided. */
  readonly change: number
  readonly changedAt: number
  readonly handled: ChartHandling | null
  /** The change for which the launch before was replaced, until this one is ready. */
  readonly replaced: { readonly change: number; readonly changedAt: number } | null
}

export type ChartEvent =
  | { readonly type: 'chart_set'; readonly chart: Chart }
  /** The wait of the last effect is over. */
  | { readonly type: 'waited' }
  | { readonly type: 'ready' }
  /** The document is gone; the launch goes on. */
  | { readonly type: 'document_gone' }
  | { readonly type: 'shown'; readonly seq: number }
  | { readonly type: 'unsaved'; readonly isUnsaved: boolean }
  /** A new launch loads in the frame. */
  | { readonly type: 'launched' }
  /** The first chart was back before a new launch was there. */
  | { readonly type: 'launch_discarded' }
  | { readonly type: 'relaunch_failed' }
  | { readonly type: 'ended' }
  | { readonly type: 'open_asked' }
  | { readonly type: 'earlier_asked' }

export type ChartEffect =
  /** Replaces a wait before. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'send'; readonly seq: number; readonly chart: Chart }
  | { readonly type: 'relaunch' }
  | {
      readonly type: 'report'
      readonly change: number
      readonly handled: ChartHandling
      readonly shownMs?: number
      /** Belongs to the launch that was replaced. */
      readonly isOfReplaced?: true
    }

export interface ChartDecision {
  readonly state: ChartGuardState
  readonly effects: readonly ChartEffect[]
}

type Rules = Pick<ChartGuardState, 'policy' | 'mode' | 'kind'>

export const newChartGuard = (rules: Rules, chart: Chart): ChartGuardState => ({
  ...rules,
  ...NEW_LAUNCH,
  chart,
  appChart: chart,
  sentChart: chart,
  replaced: null,
})

const NEW_LAUNCH = {
  phase: 'shown',
  readyAt: null,
  isSubscribed: false,
  hasUnsavedWork: false,
  isEnded: false,
  seq: 0,
  change: 0,
  changedAt: 0,
  handled: null,
} as const

/** Whether the app's frame must not be seen. */
export const isCoveredByChart = (state: ChartGuardState): boolean =>
  isGuarding(state) && state.phase !== 'shown' && state.phase !== 'earlier'

/** The chart is the app's again: it needs no other launch. */
export const isBackAtChart = ({ phase, appChart, chart, isEnded }: ChartGuardState): boolean =>
  phase === 'relaunching' && appChart === chart && !isEnded

export function decideChart(state: ChartGuardState, event: ChartEvent, now: number): ChartDecision {
  switch (event.type) {
    case 'chart_set':
      return setChart(state, event.chart, now)
    case 'waited':
      return endWait(state, now)
    case 'ready':
      return becomeReady(state, now)
    case 'document_gone':
      return keep({ ...state, readyAt: null, isSubscribed: false, hasUnsavedWork: false })
    case 'shown':
      return recordShown(state, event.seq, now)
    case 'unsaved':
      return keep({ ...state, hasUnsavedWork: event.isUnsaved })
    case 'launched':
      return beginLaunch(state)
    case 'launch_discarded':
      return show({ ...state, handled: 'returned' }, now)
    case 'relaunch_failed':
      return failRelaunch(state, now)
    case 'ended': {
      const ended = { ...state, isEnded: true, readyAt: null }
      return state.phase === 'asking' ? cover(ended) : keep(ended)
    }
    case 'open_asked':
      return state.phase === 'covered' || state.phase === 'earlier' ? relaunch(state) : keep(state)
    case 'earlier_asked':
      return state.phase === 'covered' ? show(state, now, 'earlier') : keep(state)
  }
}

const keep = (state: ChartGuardState, ...effects: ChartEffect[]): ChartDecision => ({
  state,
  effects,
})
const wait = (ms: number) => ({ type: 'wait', ms }) as const

/** True when a change covers the app or opens it again; nothing happens otherwise. */
const isGuarding = ({ policy, mode }: ChartGuardState) => policy !== 'keep' && mode === 'guard'

function setChart(state: ChartGuardState, chart: Chart, now: number): ChartDecision {
  if (chart === state.chart) return keep(state)
  const next = { ...state, chart }
  const { phase } = state
  // The next launch is for the chart that is open when it comes.
  if (phase === 'relaunching') return keep(next)
  if (phase === 'earlier' && chart === state.appChart) return keep({ ...next, phase: 'shown' })
  const resting = { ...next, phase: 'resting' } as const
  // A change that goes back, or on at once, is one change.
  const isOfApp = (phase === 'covered' || phase === 'asking') && chart === state.appChart
  if (phase === 'resting' || isOfApp) {
    const handled = phase === 'asking' ? null : state.handled
    return keep({ ...resting, handled }, wait(CHART_REST_MS))
  }
  const unanswered = phase === 'asking' ? [report(state, 'event')] : []
  const change = { change: state.change + 1, changedAt: now, handled: null }
  return keep({ ...resting, ...change }, ...unanswered, wait(CHART_REST_MS))
}

function endWait(state: ChartGuardState, now: number): ChartDecision {
  if (state.phase === 'relaunching') {
    // A Worker app whose launch failed for a moment.
    return state.kind === 'worker' ? keep(state, { type: 'relaunch' }) : keep(state)
  }
  if (state.phase === 'asking') return giveUp(state)
  if (state.phase !== 'resting') return keep(state)
  if (state.chart === state.appChart) {
    return show({ ...state, handled: state.handled ?? 'returned' }, now)
  }
  if (state.mode === 'observe') return follow({ ...state, handled: 'observe' }, now)
  if (state.policy === 'keep') {
    const { state: followed, effects } = follow({ ...state, handled: 'keep' }, now)
    const sent = state.readyAt !== null ? send(followed, state.chart) : keep(followed)
    return { ...sent, effects: [...effects, ...sent.effects] }
  }
  switch (decideHandling(state)) {
    case 'relaunch':
      return relaunch(state)
    case 'cover':
      return cover(state)
    case 'event':
      return state.isSubscribed ? switchTo(state) : awaitAnswer(state, now)
  }
}

function switchTo(state: ChartGuardState): ChartDecision {
  const asked = ask({ ...state, phase: 'asking', handled: 'event' })
  return keep(asked.state, ...asked.effects, wait(CHART_ANSWER_MS))
}

/** It could switch unseen and answer never. Its answer to its own chart brings the newest. */
function awaitAnswer(state: ChartGuardState, now: number): ChartDecision {
  const ms = (state.readyAt ?? now) + CHART_ANSWER_MS - now
  return ms > 0 ? keep({ ...state, phase: 'asking', handled: 'event' }, wait(ms)) : giveUp(state)
}

const giveUp = (state: ChartGuardState): ChartDecision =>
  state.kind === 'worker' ? relaunch(state) : cover(state)

function decideHandling(state: ChartGuardState): 'relaunch' | 'cover' | 'event' {
  const { policy, kind, isEnded, isSubscribed, hasUnsavedWork } = state
  // What has ended is not opened unasked; its text may still be there.
  if (isEnded) return 'cover'
  if (isSubscribed || policy === 'event') return 'event'
  if (kind === 'worker') return 'relaunch'
  return policy === 'cover' || hasUnsavedWork ? 'cover' : 'relaunch'
}

/** The app is not affected by the chart, or nothing is done about it. */
const follow = (state: ChartGuardState, now: number): ChartDecision =>
  show({ ...state, appChart: state.chart }, now)

function show(
  state: ChartGuardState,
  now: number,
  phase: 'shown' | 'earlier' = 'shown',
): ChartDecision {
  const { handled } = state
  const shown = { ...state, phase }
  if (handled === null) return keep(shown)
  return keep(shown, { ...report(state, handled), shownMs: Math.max(now - state.changedAt, 0) })
}

function cover(state: ChartGuardState): ChartDecision {
  const covered = { ...state, phase: 'covered', handled: 'cover' } as const
  return keep(covered, report(covered, 'cover'))
}

const relaunch = (state: ChartGuardState): ChartDecision =>
  keep({ ...state, phase: 'relaunching', handled: 'relaunch' }, { type: 'relaunch' })

function failRelaunch(state: ChartGuardState, now: number): ChartDecision {
  if (state.phase !== 'relaunching') return keep(state)
  if (state.appChart === state.chart) return show({ ...state, handled: 'returned' }, now)
  return state.kind === 'worker' ? keep(state, wait(CHART_ANSWER_MS)) : cover(state)
}

const report = ({ change }: ChartGuardState, handled: ChartHandling) =>
  ({ type: 'report', change, handled }) as const

/** Asks the app to switch. Without a session context the message follows with it. */
function ask(state: ChartGuardState): ChartDecision {
  const asked = { ...state, appChart: undefined }
  return state.readyAt !== null ? send(asked, state.chart) : keep(asked)
}

function send(state: ChartGuardState, chart: Chart): ChartDecision {
  const seq = state.seq + 1
  return keep({ ...state, seq, sentChart: chart }, { type: 'send', seq, chart })
}

function becomeReady(state: ChartGuardState, now: number): ChartDecision {
  const { replaced, appChart } = state
  const ready = { ...state, readyAt: now, replaced: null }
  if (state.mode === 'observe') return keep(ready)
  // An app of which the host does not know whether it listens learns of its own chart only: it could
  // else switch unseen. Its answer brings the newest.
  const sent = appChart === undefined ? ask(ready) : send(ready, appChart)
  if (!replaced) return sent
  const shownMs = Math.max(now - replaced.changedAt, 0)
  const line = { type: 'report', handled: 'relaunch', shownMs, isOfReplaced: true } as const
  return { ...sent, effects: [...sent.effects, { ...line, change: replaced.change }] }
}

function recordShown(state: ChartGuardState, seq: number, now: number): ChartDecision {
  if (seq > state.seq || state.readyAt === null) return keep(state)
  const subscribed = { ...state, isSubscribed: true }
  if (seq < state.seq) return keep(subscribed)
  const shown = { ...subscribed, appChart: state.sentChart }
  const { phase } = state
  if (phase !== 'asking' && phase !== 'covered') {
    return phase === 'earlier' && shown.appChart === shown.chart
      ? keep({ ...shown, phase: 'shown' })
      : keep(shown)
  }
  if (shown.appChart === shown.chart) return show({ ...shown, handled: 'event' }, now)
  return switchTo(shown)
}

function beginLaunch(state: ChartGuardState): ChartDecision {
  const isReplaced = isGuarding(state) && state.phase !== 'shown'
  const { change, changedAt, chart } = state
  const next = { ...state, ...NEW_LAUNCH, appChart: chart, sentChart: chart }
  if (!isReplaced) return keep({ ...next, replaced: null })
  const line = { ...report(state, 'relaunch'), isOfReplaced: true } as const
  return keep({ ...next, replaced: { change, changedAt } }, line)
}

// The state machine of the background: a state and an event give the next state and the effects. Pure;
// time and random values come with the events. sign-in-rules.ts and tab-rules.ts have the rules, this
// file their order.
import type { Decision, Event } from './events.ts'
import { endPanelLaunches, recordPanelLaunches, takeLaunches } from './launch-rules.ts'
import { recover } from './recovery.ts'
import {
  endOrphanedSessions,
  hasPassed,
  recordPractices,
  refresh,
  refreshNow,
  retryFailed,
} from './refresh-rules.ts'
import {
  beginSignIn,
  cancelSignIn,
  endSignIn,
  endsSignIn,
  finishSignIn,
  forgetSignInTab,
  recordSignInTab,
  showSignInTab,
  signOut,
} from './sign-in-rules.ts'
import { choiceKey, NO_SESSION, type State } from './state.ts'
import {
  chain,
  eachTab,
  endOf,
  findSessionTab,
  findTab,
  listChoice,
  markEnded,
  openSession,
  settleTab,
  withTab,
} from './tab-rules.ts'

const ACTIVITY_INTERVAL_MS = 60_000

export function decide(state: State, event: Event): Decision<State> {
  const { state: next, effects } = decideOne(state, event)
  return { state: clearStaleNotices(next), effects }
}

/** Only the streams of live sessions say that an outage or a warning is over: without one neither is known. */
function clearStaleNotices(state: State): State {
  const { signIn, isOffline, tabs } = state
  if (Object.values(tabs).some(({ session }) => session.kind === 'live')) return state
  const isLoading = signIn.kind === 'in' && signIn.practices === null
  const known = isOffline && !isLoading ? { ...state, isOffline: false } : state
  return signIn.kind === 'in' && signIn.signsOutAt !== null
    ? { ...known, signIn: { ...signIn, signsOutAt: null } }
    : known
}

function decideOne(state: State, event: Event): Decision<State> {
  switch (event.type) {
    case 'started':
      return recover(state, event)
    case 'settings_changed':
      return changeSettings(state, event)
    case 'sign_in_asked':
      return beginSignIn(state, event.prepared)
    case 'sign_in_tab_opened':
      return recordSignInTab(state, event.tabId)
    case 'sign_in_tab_asked':
      return showSignInTab(state)
    case 'sign_in_cancelled':
      return cancelSignIn(state, null)
    case 'sign_in_failed':
      return failSignIn(state, event)
    case 'signed_in':
      return finishSignIn(state, event)
    case 'sign_out_asked':
      return signOut(state)
    case 'signed_out':
      return isCurrent(state, event.token) ? endSignIn(state, event.because) : unchanged(state)
    case 'sign_out_planned':
      return planSignOut(state, event.at)
    case 'practices_loaded':
      return recordPractices(state, event)
    case 'sessions_listed':
      return endOrphanedSessions(state, event)
    case 'window_focused':
      return chain(refresh(state, event.now), retryFailed)
    case 'access_changed':
      return unchanged({ ...state, missingAccess: event.missingAccess })
    case 'page_seen':
      return seePage(state, event)
    case 'page_left':
      return leavePage(state, event.tabId)
    case 'tab_closed':
      return closeTab(state, event.tabId)
    case 'practice_chosen':
      return choosePractice(state, event.tabId, event.practiceId)
    case 'practice_change_asked':
      return changePractice(state, event.tabId)
    case 'open_again_asked':
      return openAgain(state, event.tabId)
    case 'session_opened':
      return recordSession(state, event)
    case 'session_refused':
      return recordRefusal(state, event)
    case 'launches_taken':
      return unchanged(takeLaunches(state, event.launches))
    case 'worker_changed':
      return recordWorker(state, event)
    case 'worker_retry_asked':
      return retryWorker(state, event)
    case 'session_ended':
      return recordEnd(state, event)
    case 'reachable':
      return recordReachable(state, event.isOffline)
    case 'panel_opened':
      return openPanel(state, event.tabId)
    case 'panel_closed':
      return closePanel(state, event.tabId)
    case 'panel_launches':
      return recordPanelLaunches(state, event.tabId, event.launches)
    case 'active':
      return recordActivity(state, event.now, event.isUrgent)
  }
}

const unchanged = (state: State): Decision<State> => ({ state, effects: [] })

function changeSettings(state: State, { settings }: EventOf<'settings_changed'>): Decision<State> {
  const isMoved = settings?.service !== state.settings?.service
  return chain(
    isMoved ? signOut(state) : unchanged(state),
    (next) => unchanged({ ...next, settings }),
    // A policy may name another account.
    refreshNow,
  )
}

const failSignIn = (state: State, event: EventOf<'sign_in_failed'>): Decision<State> =>
  state.signIn.kind === 'waiting' && state.signIn.sessionId === event.sessionId
    ? cancelSignIn(state, event.because)
    : unchanged(state)

const planSignOut = (state: State, signsOutAt: number | null): Decision<State> =>
  unchanged(
    state.signIn.kind === 'in' ? { ...state, signIn: { ...state.signIn, signsOutAt } } : state,
  )

function seePage(state: State, { tabId, url }: EventOf<'page_seen'>): Decision<State> {
  const tab = { ...findTab(state, tabId), url }
  return settleTab(withTab(state, tabId, tab), tabId)
}

function leavePage(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const left = withTab(state, tabId, { ...tab, url: null, session: NO_SESSION })
  return { state: left, effects: endOf(state, tab) }
}

function closeTab(state: State, tabId: number): Decision<State> {
  const closed = { url: null, panel: null, session: NO_SESSION }
  const next = withTab(forgetSignInTab(state, tabId), tabId, closed)
  return { state: next, effects: endOf(state, findTab(state, tabId)) }
}

function openAgain(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const { session } = tab
  const isEmpty = session.kind === 'live' && session.session.apps.length === 0
  if (!isEmpty && session.kind !== 'ended' && session.kind !== 'failed') return unchanged(state)
  return chain(
    { state, effects: endOf(state, tab) },
    (next) => openSession(next, tabId, session.target),
    (next) => refreshNow(next),
  )
}

function recordRefusal(state: State, event: EventOf<'session_refused'>): Decision<State> {
  const tab = findTab(state, event.tabId)
  if (tab.session.kind !== 'opening' || tab.session.attempt !== event.attempt) {
    return unchanged(state)
  }
  const { target } = tab.session
  const failed = { kind: 'failed', target, ...event.failure } as const
  // The practice may not have this EHR any more.
  return refreshNow(withTab(state, event.tabId, { ...tab, session: failed }))
}

function recordWorker(state: State, event: EventOf<'worker_changed'>): Decision<State> {
  const tabId = findSessionTab(state, event.sessionId)
  const tab = tabId === null ? null : findTab(state, tabId)
  if (tabId === null || tab?.session.kind !== 'live') return unchanged(state)
  const { worker } = event
  const { workers } = tab.session
  const isKnown = workers.some(({ appId }) => appId === worker.appId)
  const next = isKnown
    ? workers.map((known) => (known.appId === worker.appId ? worker : known))
    : [...workers, worker]
  const session = { ...tab.session, workers: next }
  return unchanged(withTab(state, tabId, { ...tab, session }))
}

function retryWorker(state: State, event: EventOf<'worker_retry_asked'>): Decision<State> {
  const { session } = findTab(state, event.tabId)
  if (session.kind !== 'live') return unchanged(state)
  const { id: sessionId } = session.session
  return { state, effects: [{ type: 'retry_worker', sessionId, appId: event.appId }] }
}

function recordReachable(state: State, isOffline: boolean): Decision<State> {
  const known = unchanged({ ...state, isOffline })
  return state.isOffline && !isOffline ? chain(known, retryFailed) : known
}

function openPanel(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const panel = tab.panel ?? { launches: [] }
  return unchanged(withTab(state, tabId, { ...tab, panel }))
}

function closePanel(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const ended = endPanelLaunches(state, tab)
  return { state: withTab(ended.state, tabId, { ...tab, panel: null }), effects: ended.effects }
}

const isCurrent = ({ signIn }: State, token: string) =>
  signIn.kind === 'in' && signIn.token === token

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

function choosePractice(state: State, tabId: number, practiceId: string): Decision<State> {
  const { session, url } = findTab(state, tabId)
  if (state.signIn.kind !== 'in' || session.kind !== 'choose' || url === null) {
    return { state, effects: [] }
  }
  if (!session.among.some(({ practice }) => practice.id === practiceId)) {
    return { state, effects: [] }
  }
  const key = choiceKey(state.signIn.person.id, url)
  const choices = { ...state.choices, [key]: practiceId }
  // Every tab that waits for the same answer gets it.
  return chain(
    { state: { ...state, choices }, effects: [{ type: 'remember_choices', choices }] },
    (next) => eachTab(next, settleTab),
  )
}

/** The remembered answer counts no more; what other tabs show stays. */
function changePractice(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const { signIn } = state
  const among = listChoice(state, tab)
  if (signIn.kind !== 'in' || tab.url === null || !('target' in tab.session) || among.length < 2) {
    return { state, effects: [] }
  }
  const { [choiceKey(signIn.person.id, tab.url)]: _, ...choices } = state.choices
  const asking = { ...tab, session: { kind: 'choose', among } as const }
  return {
    state: { ...withTab(state, tabId, asking), choices },
    effects: [...endOf(state, tab), { type: 'remember_choices', choices }],
  }
}

function recordSession(state: State, event: EventOf<'session_opened'>): Decision<State> {
  const { tabId, attempt, session, launches } = event
  const tab = findTab(state, tabId)
  const { signIn } = state
  if (signIn.kind !== 'in') return { state, effects: [] }
  const { token } = signIn
  if (tab.session.kind !== 'opening' || tab.session.attempt !== attempt) {
    // The tab was closed, or shows another EHR by now.
    return { state, effects: [{ type: 'end_session', token, sessionId: session.id }] }
  }
  const { target } = tab.session
  const live = { kind: 'live', target, session, launches, workers: [] } as const
  return {
    state: { ...withTab(state, tabId, { ...tab, session: live }), isOffline: false },
    effects: [{ type: 'host', token, session, launches }],
  }
}

function recordEnd(state: State, { sessionId, reason }: EventOf<'session_ended'>): Decision<State> {
  const { signIn } = state
  const tabId = findSessionTab(state, sessionId)
  if (tabId === null || signIn.kind !== 'in') return { state, effects: [] }
  if (endsSignIn(reason)) return endSignIn(state, reason)
  const { token } = signIn
  return chain(markEnded(state, tabId, reason), (next) => ({
    state: next,
    effects: [{ type: 'check_sign_in', token, because: reason }],
  }))
}

function recordActivity(state: State, now: number, isUrgent: boolean): Decision<State> {
  const { signIn } = state
  const session = Object.values(state.tabs).flatMap(({ session: one }) =>
    one.kind === 'live' ? [one.session] : [],
  )[0]
  const isDue = signIn.kind === 'in' && hasPassed(ACTIVITY_INTERVAL_MS, signIn.activeAt, now)
  const isWarned = signIn.kind === 'in' && signIn.signsOutAt !== null
  if (signIn.kind !== 'in' || !session || !(isDue || isUrgent || isWarned)) {
    return { state, effects: [] }
  }
  return {
    state: { ...state, signIn: { ...signIn, activeAt: now, signsOutAt: null } },
    effects: [{ type: 'report_activity', token: signIn.token, sessionId: session.id }],
  }
}

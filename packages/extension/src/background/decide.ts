// The state machine of the background: a state and an event give the next state and the effects. Pure;
// time and random values come with the events. sign-in-rules.ts and tab-rules.ts have the rules, this
// file their order.
import { listChartEffects, recordFrame } from './chart-rules.ts'
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
  recordApproval,
  recordSignInTab,
  showSignInTab,
  signOut,
} from './sign-in-rules.ts'
import { choiceKey, ehrKey, NO_SESSION, type State } from './state.ts'
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
  const { state: next, effects: decided } = decideOne(state, event)
  const effects = [...decided, ...listChartEffects(state, next)]
  return { state: clearStaleNotices(next), effects }
}

/** Clears outage and warning without a live session: only the stream of one says that they are over. */
function clearStaleNotices(state: State): State {
  const { signIn, isOffline, tabs } = state
  if (Object.values(tabs).some(({ session }) => session.kind === 'live')) return state
  const isLoading = signIn.kind === 'in' && signIn.practices === null
  const known = isOffline && !isLoading ? { ...state, isOffline: false } : state
  return signIn.kind === 'in' && signIn.signsOutAt !== null
    ? { ...known, signIn: { ...signIn, signsOutAt: null } }
    : known
}

/** Passes the event to the rules of its group. */
function decideOne(state: State, event: Event): Decision<State> {
  switch (event.type) {
    case 'started':
      return recover(state, event)
    case 'settings_changed':
      return changeSettings(state, event)
    case 'service_chosen':
      return chooseService(state, event)
    case 'window_focused':
      return chain(refresh(state, event.now), retryFailed)
    case 'access_changed':
      return { state: { ...state, missingAccess: event.missingAccess }, effects: [] }
    case 'practices_loaded':
      return recordPractices(state, event)
    case 'sessions_listed':
      return endOrphanedSessions(state, event)
    case 'reachable': {
      const known = { state: { ...state, isOffline: event.isOffline }, effects: [] }
      return state.isOffline && !event.isOffline ? chain(known, retryFailed) : known
    }
    case 'active':
      return recordActivity(state, event.now, event.isUrgent)
    case 'sign_in_asked':
    case 'sign_in_tab_opened':
    case 'sign_in_approved':
    case 'sign_in_tab_asked':
    case 'sign_in_tab_stranded':
    case 'sign_in_cancelled':
    case 'sign_in_failed':
    case 'signed_in':
    case 'sign_out_asked':
    case 'signed_out':
    case 'sign_out_planned':
      return decideSignIn(state, event)
    case 'page_seen':
    case 'frame_seen':
    case 'page_left':
    case 'tab_closed':
    case 'panel_opened':
    case 'panel_closed':
    case 'panel_launches':
      return decideTab(state, event)
    case 'practice_chosen':
    case 'practice_change_asked':
    case 'app_chosen':
    case 'open_again_asked':
    case 'session_opened':
    case 'session_refused':
    case 'launches_taken':
    case 'worker_changed':
    case 'worker_retry_asked':
    case 'session_ended':
      return decideSession(state, event)
  }
}

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

function changeSettings(state: State, { settings }: EventOf<'settings_changed'>): Decision<State> {
  if (JSON.stringify(settings) === JSON.stringify(state.settings)) return { state, effects: [] }
  const isMoved = settings?.service !== state.settings?.service
  return chain(
    isMoved ? signOut(state) : { state, effects: [] },
    (next) => ({ state: { ...next, settings }, effects: [] }),
    // A policy may name another account.
    refreshNow,
  )
}

/** The settings change with the storage. */
function chooseService(state: State, { isProposed }: EventOf<'service_chosen'>): Decision<State> {
  const { service, proposed } = state.settings ?? {}
  const chosen = isProposed ? proposed : service
  const isAsked = proposed !== undefined && chosen !== undefined
  return { state, effects: isAsked ? [{ type: 'confirm_service', service: chosen }] : [] }
}

type SignInEvent = EventOf<
  | 'sign_in_asked'
  | 'sign_in_tab_opened'
  | 'sign_in_approved'
  | 'sign_in_tab_asked'
  | 'sign_in_tab_stranded'
  | 'sign_in_cancelled'
  | 'sign_in_failed'
  | 'signed_in'
  | 'sign_out_asked'
  | 'signed_out'
  | 'sign_out_planned'
>

function decideSignIn(state: State, event: SignInEvent): Decision<State> {
  const unchanged = { state, effects: [] }
  const { signIn } = state
  switch (event.type) {
    case 'sign_in_asked':
      return beginSignIn(state, event)
    case 'sign_in_tab_opened':
      return recordSignInTab(state, event)
    case 'sign_in_approved':
      return recordApproval(state, event)
    case 'sign_in_tab_asked':
      return showSignInTab(state, event.originTabId)
    case 'sign_in_tab_stranded':
      return { state: { ...state, strandedTabId: event.tabId }, effects: [] }
    case 'sign_in_cancelled':
      return cancelSignIn(state, null)
    case 'sign_in_failed':
      return signIn.kind === 'waiting' && signIn.sessionId === event.sessionId
        ? cancelSignIn(state, event.because)
        : unchanged
    case 'signed_in':
      return finishSignIn(state, event)
    case 'sign_out_asked':
      return signOut(state)
    case 'signed_out':
      return isCurrent(state, event.token) ? endSignIn(state, event.because) : unchanged
    case 'sign_out_planned':
      return signIn.kind === 'in'
        ? { state: { ...state, signIn: { ...signIn, signsOutAt: event.at } }, effects: [] }
        : unchanged
  }
}

type TabEvent = EventOf<
  | 'page_seen'
  | 'frame_seen'
  | 'page_left'
  | 'tab_closed'
  | 'panel_opened'
  | 'panel_closed'
  | 'panel_launches'
>

function decideTab(state: State, event: TabEvent): Decision<State> {
  const { tabId } = event
  const tab = findTab(state, tabId)
  switch (event.type) {
    case 'page_seen':
      return settleTab(
        withTab(state, tabId, { ...tab, url: event.url, ...(event.isNew ? { frames: [] } : {}) }),
        tabId,
      )
    case 'frame_seen':
      return recordFrame(state, tabId, event.frameId, event.url)
    case 'page_left': {
      const left = withTab(state, tabId, { ...tab, url: null, session: NO_SESSION })
      return { state: left, effects: endOf(state, tab) }
    }
    case 'tab_closed': {
      const closed = { url: null, panel: null, session: NO_SESSION }
      const next = withTab(forgetSignInTab(state, tabId), tabId, closed)
      return { state: next, effects: endOf(state, tab) }
    }
    case 'panel_opened': {
      const launches = tab.panel?.launches ?? []
      // A panel of its own takes the place of an embedded one.
      const isEmbedded = event.isEmbedded && (tab.panel?.isEmbedded ?? true)
      const panel = { launches, isEmbedded }
      return { state: withTab(state, tabId, { ...tab, panel }), effects: [] }
    }
    case 'panel_closed': {
      const ended = endPanelLaunches(state, tab)
      return {
        state: withTab(ended.state, tabId, { ...tab, panel: null }),
        effects: ended.effects,
      }
    }
    case 'panel_launches':
      return recordPanelLaunches(state, tabId, event.launches)
  }
}

type SessionEvent = EventOf<
  | 'practice_chosen'
  | 'practice_change_asked'
  | 'app_chosen'
  | 'open_again_asked'
  | 'session_opened'
  | 'session_refused'
  | 'launches_taken'
  | 'worker_changed'
  | 'worker_retry_asked'
  | 'session_ended'
>

function decideSession(state: State, event: SessionEvent): Decision<State> {
  switch (event.type) {
    case 'practice_chosen':
      return choosePractice(state, event.tabId, event.practiceId)
    case 'practice_change_asked':
      return changePractice(state, event.tabId)
    case 'app_chosen':
      return rememberApp(state, event)
    case 'open_again_asked':
      return openAgain(state, event.tabId)
    case 'session_opened':
      return recordSession(state, event)
    case 'session_refused': {
      const tab = findTab(state, event.tabId)
      if (tab.session.kind !== 'opening' || tab.session.attempt !== event.attempt) {
        return { state, effects: [] }
      }
      const { target } = tab.session
      const failed = { kind: 'failed', target, ...event.failure } as const
      // The practice may not have this EHR any more.
      return refreshNow(withTab(state, event.tabId, { ...tab, session: failed }))
    }
    case 'launches_taken':
      return { state: takeLaunches(state, event.launches), effects: [] }
    case 'worker_changed':
      return recordWorker(state, event)
    case 'worker_retry_asked': {
      const { session } = findTab(state, event.tabId)
      if (session.kind !== 'live') return { state, effects: [] }
      const { id: sessionId } = session.session
      return { state, effects: [{ type: 'retry_worker', sessionId, appId: event.appId }] }
    }
    case 'session_ended':
      return recordEnd(state, event)
  }
}

const isCurrent = ({ signIn }: State, token: string) =>
  signIn.kind === 'in' && signIn.token === token

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
    { state: { ...state, choices }, effects: [{ type: 'remember', values: { choices } }] },
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
    effects: [...endOf(state, tab), { type: 'remember', values: { choices } }],
  }
}

function rememberApp(state: State, { tabId, appId }: EventOf<'app_chosen'>): Decision<State> {
  const { signIn } = state
  const { session } = findTab(state, tabId)
  const isHere = session.kind === 'live' && session.session.apps.some((app) => app.id === appId)
  if (signIn.kind !== 'in' || !isHere) return { state, effects: [] }
  const key = ehrKey(signIn.person.id, session.target)
  if (state.lastApps[key] === appId) return { state, effects: [] }
  const lastApps = { ...state.lastApps, [key]: appId }
  return { state: { ...state, lastApps }, effects: [{ type: 'remember', values: { lastApps } }] }
}

function openAgain(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const { session } = tab
  const isEmpty = session.kind === 'live' && session.session.apps.length === 0
  if (!isEmpty && session.kind !== 'ended' && session.kind !== 'failed') {
    return { state, effects: [] }
  }
  return chain(
    { state, effects: endOf(state, tab) },
    (next) => openSession(next, tabId, session.target),
    (next) => refreshNow(next),
  )
}

function recordWorker(
  state: State,
  { sessionId, worker }: EventOf<'worker_changed'>,
): Decision<State> {
  const tabId = findSessionTab(state, sessionId)
  const tab = tabId === null ? null : findTab(state, tabId)
  if (tabId === null || tab?.session.kind !== 'live') return { state, effects: [] }
  const { workers } = tab.session
  const isKnown = workers.some(({ appId }) => appId === worker.appId)
  const next = isKnown
    ? workers.map((known) => (known.appId === worker.appId ? worker : known))
    : [...workers, worker]
  const session = { ...tab.session, workers: next }
  return { state: withTab(state, tabId, { ...tab, session }), effects: [] }
}

function recordSession(state: State, event: EventOf<'session_opened'>): Decision<State> {
  const { tabId, attempt, session, launches, chartKey } = event
  const tab = findTab(state, tabId)
  const { signIn } = state
  if (signIn.kind !== 'in') return { state, effects: [] }
  const { token } = signIn
  if (tab.session.kind !== 'opening' || tab.session.attempt !== attempt) {
    // The tab was closed, or shows another EHR by now.
    return { state, effects: [{ type: 'end_session', token, sessionId: session.id }] }
  }
  const { target } = tab.session
  const key = chartKey === undefined ? {} : { chartKey }
  const live = { kind: 'live', target, session, launches, workers: [], ...key } as const
  const { charts: _, ...unguarded } = tab
  const charts = session.ehr?.charts
  const guarded = charts?.length ? { ...unguarded, charts } : unguarded
  return {
    state: { ...withTab(state, tabId, { ...guarded, session: live }), isOffline: false },
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

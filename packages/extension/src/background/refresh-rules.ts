// What is asked for again while a person is signed in: the EHR definitions, which an administrator may
// publish again, the sessions that the service has open, of which each must belong to a tab, and sessions
// that an outage kept from opening. Pure.
import type { Decision, Effect, Event } from './events.ts'
import type { State } from './state.ts'
import { chain, eachTab, findSessionTab, findTab, openSession, settleTab } from './tab-rules.ts'

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

const REFRESH_INTERVAL_MS = 5 * 60_000

/** Whether the time has passed. It counts as passed when the clock of the computer was put back. */
export const hasPassed = (ms: number, since: number, now: number): boolean =>
  now - since >= ms || now < since

/** Refreshes at most once in five minutes. */
export function refresh(state: State, now: number): Decision<State> {
  const { signIn } = state
  if (signIn.kind !== 'in' || !hasPassed(REFRESH_INTERVAL_MS, signIn.practicesAt, now)) {
    return { state, effects: [] }
  }
  return refreshNow({ ...state, signIn: { ...signIn, practicesAt: now } })
}

/** Refreshes at once, when what is known may have proved wrong. */
export function refreshNow(state: State): Decision<State> {
  const { signIn, settings } = state
  if (signIn.kind !== 'in' || signIn.practices === null || !settings) return { state, effects: [] }
  const { token, practices: known } = signIn
  const { accountId } = settings
  return {
    state,
    effects: [
      { type: 'load_practices', token, accountId, known },
      { type: 'list_sessions', token, isLater: true },
    ],
  }
}

export function recordPractices(
  state: State,
  { token, practices }: EventOf<'practices_loaded'>,
): Decision<State> {
  const { signIn } = state
  if (signIn.kind !== 'in' || signIn.token !== token) return { state, effects: [] }
  if (JSON.stringify(practices) === JSON.stringify(signIn.practices)) return { state, effects: [] }
  const loaded = { ...state, signIn: { ...signIn, practices } }
  return chain({ state: loaded, effects: [{ type: 'watch_pages', practices }] }, (next) =>
    eachTab(next, settleTab),
  )
}

/**
 * Ends the sessions that belong to no tab. One that is being opened may be in the list before its
 * answer is here, so the list is taken again then.
 */
export function endOrphanedSessions(
  state: State,
  { token, sessions }: EventOf<'sessions_listed'>,
): Decision<State> {
  if (state.signIn.kind !== 'in' || state.signIn.token !== token) return { state, effects: [] }
  const isOpening = Object.values(state.tabs).some(({ session }) => session.kind === 'opening')
  if (isOpening) return { state, effects: [{ type: 'list_sessions', token, isLater: true }] }
  const effects = sessions
    .filter((sessionId) => findSessionTab(state, sessionId) === null)
    .map((sessionId): Effect => ({ type: 'end_session', token, sessionId }))
  return { state, effects }
}

/** An outage may be over: the person is at work, or another session has its stream again. */
export const retryFailed = (state: State): Decision<State> =>
  eachTab(state, (next, tabId) => {
    const { session } = findTab(next, tabId)
    return session.kind === 'failed' && session.isTransient
      ? openSession(next, tabId, session.target)
      : { state: next, effects: [] }
  })

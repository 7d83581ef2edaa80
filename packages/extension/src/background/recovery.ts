// What a background does that runs again: it compares what it remembers with the tabs, the panels and
// the offscreen document that are there, and does what it had not finished. Pure.
import type { Decision, Effect, Event } from './events.ts'
import { endPanelLaunches } from './launch-rules.ts'
import { cancelSignIn } from './sign-in-rules.ts'
import { NO_SESSION, type State } from './state.ts'
import { chain, endOf, findSessionTab, findTab, openSession, withTab } from './tab-rules.ts'

type Started = Extract<Event, { type: 'started' }>

export function recover(state: State, found: Started): Decision<State> {
  return chain(
    resumeSignIn(state, found.now),
    (next) => closeTabs(next, found),
    (next) => closePanels(next, found),
    (next) => resumeSessions(next, found),
    (next) => ({ state: next, effects: dropForeign(next, found) }),
    (next) => ({ state: next, effects: findLost(state, next) }),
  )
}

function resumeSignIn(state: State, now: number): Decision<State> {
  const { signIn, settings } = state
  if (signIn.kind === 'waiting') {
    if (signIn.expiresAt <= now) return cancelSignIn(state, 'timed_out')
    return { state, effects: [{ type: 'poll_sign_in', prepared: signIn }] }
  }
  if (signIn.kind === 'in' && signIn.practices === null && settings) {
    const { token } = signIn
    const { accountId } = settings
    return { state, effects: [{ type: 'load_practices', token, accountId, known: [] }] }
  }
  return { state, effects: [] }
}

/** Tabs that were closed while no background ran. */
function closeTabs(state: State, { tabs }: Started): Decision<State> {
  const gone = Object.keys(state.tabs)
    .map(Number)
    .filter((id) => !tabs.includes(id))
  return chain(
    { state, effects: [] },
    ...gone.map((tabId) => (next: State) => ({
      state: withTab(next, tabId, { url: null, panel: null, session: NO_SESSION }),
      effects: endOf(next, findTab(next, tabId)),
    })),
  )
}

function closePanels(state: State, { panels }: Started): Decision<State> {
  const gone = Object.entries(state.tabs).filter(
    ([id, { panel }]) => panel && !panels.includes(Number(id)),
  )
  return chain(
    { state, effects: [] },
    ...gone.map(([id]) => (next: State) => {
      const tab = findTab(next, Number(id))
      const ended = endPanelLaunches(next, tab)
      return { ...ended, state: withTab(next, Number(id), { ...tab, panel: null }) }
    }),
  )
}

/** Asks again for what was never answered, and hosts again what nothing hosts. */
function resumeSessions(state: State, { hosted }: Started): Decision<State> {
  const { signIn } = state
  if (signIn.kind !== 'in') return { state, effects: [] }
  const { token } = signIn
  return chain(
    { state, effects: [] },
    ...Object.entries(state.tabs).map(([id, { session }]) => (next: State): Decision<State> => {
      if (session.kind === 'opening') return openSession(next, Number(id), session.target)
      if (session.kind !== 'live' || hosted.includes(session.session.id)) {
        return { state: next, effects: [] }
      }
      const { launches } = session
      return { state: next, effects: [{ type: 'host', token, session: session.session, launches }] }
    }),
  )
}

/** The service may have answered the background that was stopped: such a session belongs to no tab. */
const findLost = (before: State, { signIn }: State): Effect[] =>
  signIn.kind === 'in' &&
  Object.values(before.tabs).some(({ session }) => session.kind === 'opening')
    ? [{ type: 'list_sessions', token: signIn.token, isLater: true }]
    : []

/** Sessions that are hosted and belong to no tab. */
const dropForeign = (state: State, { hosted }: Started): Effect[] =>
  hosted
    .filter((sessionId) => findSessionTab(state, sessionId) === null)
    .flatMap((sessionId): Effect[] => [
      { type: 'unhost', sessionId },
      ...(state.signIn.kind === 'in'
        ? [{ type: 'end_session', token: state.signIn.token, sessionId } as const]
        : []),
    ])

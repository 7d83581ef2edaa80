// The rules of one tab: which practice and EHR it shows, when its EHR session opens, and how it ends.
// Pure: a state and what happened give the next state and the effects.
import type { EndReason } from '@chartside/protocol/handshake'
import { matchesPattern } from '../match-pattern.ts'
import type { Decision, Effect } from './events.ts'
import {
  choiceKey,
  NO_SESSION,
  type PracticeEhrs,
  type State,
  type Tab,
  type Target,
} from './state.ts'

const EMPTY_TAB: Tab = { url: null, panel: null, session: NO_SESSION }

export const findTab = (state: State, tabId: number): Tab => state.tabs[tabId] ?? EMPTY_TAB

/** A tab without EHR and panel is forgotten. */
export function withTab(state: State, tabId: number, tab: Tab): State {
  const { [tabId]: _, ...others } = state.tabs
  return { ...state, tabs: tab.url || tab.panel ? { ...others, [tabId]: tab } : others }
}

/** The practices, and the EHR of each, to which the address belongs. */
export function listTargets(state: State, url: string): Target[] {
  if (state.signIn.kind !== 'in') return []
  return (state.signIn.practices ?? []).flatMap(({ practice, ehrs }) => {
    const ehr = ehrs.find(({ matches }) => matches.some((pattern) => matchesPattern(pattern, url)))
    return ehr ? [{ practice, ehrType: ehr.ehrType, ehrName: ehr.name }] : []
  })
}

export const listPatterns = (practices: readonly PracticeEhrs[]): string[] =>
  practices.flatMap(({ ehrs }) => ehrs.flatMap(({ matches }) => matches))

/** The practices among which the person chooses for this tab. */
export const listChoice = (state: State, { url }: Tab): Target[] =>
  url === null ? [] : listTargets(state, url)

/** Brings the session of a tab in line with its address: opens one, keeps it, or ends it. */
export function settleTab(state: State, tabId: number): Decision<State> {
  const tab = findTab(state, tabId)
  const { signIn } = state
  if (signIn.kind !== 'in' || signIn.practices === null) return { state, effects: [] }
  const targets = listChoice(state, tab)
  const { session } = tab
  if ('target' in session && targets.some((target) => isSame(target, session.target))) {
    return { state, effects: [] }
  }
  const ended = endOf(state, tab)
  const [first] = targets
  if (!first || tab.url === null) {
    return { state: withTab(state, tabId, { ...tab, session: NO_SESSION }), effects: ended }
  }
  const chosen = state.choices[choiceKey(signIn.person.id, tab.url)]
  const target =
    targets.length === 1 ? first : targets.find(({ practice }) => practice.id === chosen)
  if (!target) {
    const choosing = { ...tab, session: { kind: 'choose', among: targets } as const }
    return { state: withTab(state, tabId, choosing), effects: ended }
  }
  const opening = openSession(state, tabId, target)
  return { state: opening.state, effects: [...ended, ...opening.effects] }
}

export function openSession(state: State, tabId: number, target: Target): Decision<State> {
  if (state.signIn.kind !== 'in') return { state, effects: [] }
  const tab = findTab(state, tabId)
  const attempt = state.attempts + 1
  const session = { kind: 'opening', attempt, target } as const
  const { deviceId } = state
  const launch = tab.panel ? (['worker', 'ui'] as const) : (['worker'] as const)
  const { token } = state.signIn
  return {
    state: { ...withTab(state, tabId, { ...tab, session }), attempts: attempt },
    effects: [{ type: 'open_session', token, tabId, attempt, target, deviceId, launch }],
  }
}

/** The effects that end the session of the tab, if it has one. */
export function endOf({ signIn }: State, { session }: Tab): Effect[] {
  if (session.kind !== 'live') return []
  const { id: sessionId } = session.session
  const unhost = { type: 'unhost', sessionId } as const
  return signIn.kind === 'in'
    ? [unhost, { type: 'end_session', token: signIn.token, sessionId }]
    : [unhost]
}

export const findSessionTab = (state: State, sessionId: string): number | null => {
  const found = Object.entries(state.tabs).find(
    ([, { session }]) => session.kind === 'live' && session.session.id === sessionId,
  )
  return found ? Number(found[0]) : null
}

/** The service has ended the session: nothing is left to end there. */
export function markEnded(state: State, tabId: number, reason: EndReason): Decision<State> {
  const tab = findTab(state, tabId)
  if (tab.session.kind !== 'live') return { state, effects: [] }
  const { target, session } = tab.session
  return {
    state: withTab(state, tabId, { ...tab, session: { kind: 'ended', target, reason } }),
    effects: [{ type: 'unhost', sessionId: session.id }],
  }
}

const isSame = (a: Target, b: Target) => a.practice.id === b.practice.id && a.ehrType === b.ehrType

/** Runs a rule for every tab, one after another. */
export function eachTab(
  state: State,
  rule: (state: State, tabId: number) => Decision<State>,
): Decision<State> {
  return chain(
    { state, effects: [] },
    ...Object.keys(state.tabs).map((id) => (next: State) => rule(next, Number(id))),
  )
}

export function chain(
  start: Decision<State>,
  ...rules: ((state: State) => Decision<State>)[]
): Decision<State> {
  return rules.reduce((before, rule) => {
    const { state, effects } = rule(before.state)
    return { state, effects: [...before.effects, ...effects] }
  }, start)
}

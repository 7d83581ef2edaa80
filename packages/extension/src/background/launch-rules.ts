// The rules of launches that wait for a frame, and of those in the frames of a panel. A launch goes into
// one frame, once; a launch whose frame is gone ends. Pure.
import type { Decision, Effect } from './events.ts'
import type { State, Tab } from './state.ts'
import { findTab, withTab } from './tab-rules.ts'

/** These launches are in a frame now: no other frame gets them. */
export function takeLaunches(state: State, taken: readonly string[]): State {
  const tabs = Object.entries(state.tabs).map(([id, tab]): [string, Tab] => {
    if (tab.session.kind !== 'live') return [id, tab]
    const launches = tab.session.launches.filter((launch) => !taken.includes(launch.id))
    return [id, { ...tab, session: { ...tab.session, launches } }]
  })
  return { ...state, tabs: Object.fromEntries(tabs) }
}

/** The host of the panel ends those that are gone. */
export function recordPanelLaunches(
  state: State,
  tabId: number,
  launches: readonly string[],
): Decision<State> {
  const tab = findTab(state, tabId)
  if (!tab.panel) return { state, effects: [] }
  return {
    state: withTab(state, tabId, { ...tab, panel: { ...tab.panel, launches } }),
    effects: [],
  }
}

/** The panel is gone without a last word, and its frames with it: it crashed. */
export function endPanelLaunches(state: State, tab: Tab): Decision<State> {
  return { state, effects: endLaunches(state, tab.panel?.launches ?? []) }
}

const endLaunches = ({ signIn }: State, launches: readonly string[]): Effect[] =>
  signIn.kind === 'in'
    ? launches.map((launch) => ({ type: 'end_launch', token: signIn.token, launch }))
    : []

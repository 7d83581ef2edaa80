// Which chart a tab shows, by its address, or by that of a frame where the EHR keeps one address for all
// charts; and which host learns of it. No page is read, and no chart leaves the browser. Pure.
// Contract §11; security V40.
import { findChart } from '@chartside/protocol/charts'
import type { Decision, Effect } from './events.ts'
import type { State, Tab } from './state.ts'
import { findTab, withTab } from './tab-rules.ts'

/** Returns the chart; null when none is open; undefined when the EHR has no patterns, so that nothing is noticed. */
export function findTabChart({ url, charts, frames = [] }: Tab): string | null | undefined {
  if (!charts) return undefined
  if (url === null) return null
  const addresses = [url, ...frames.map((frame) => frame.url).reverse()]
  return (
    addresses.map((address) => findChart(charts, address)).find((chart) => chart !== null) ?? null
  )
}

/** The newest address is the last one; null when the document of the frame is gone. */
export function recordFrame(
  state: State,
  tabId: number,
  frameId: number,
  url: string | null,
): Decision<State> {
  const tab = findTab(state, tabId)
  if (tab.url === null) return { state, effects: [] }
  const others = (tab.frames ?? []).filter((frame) => frame.frameId !== frameId)
  const frames = url === null ? others : [...others, { frameId, url }].slice(-MAX_FRAMES)
  return { state: withTab(state, tabId, { ...tab, frames }), effects: [] }
}

/** The most frames of one page. */
const MAX_FRAMES = 50

/** The hosts of Worker apps whose tab shows another chart now; panels are shown theirs. */
export function listChartEffects(before: State, after: State): Effect[] {
  return Object.entries(after.tabs).flatMap(([id, tab]): Effect[] => {
    const earlier = before.tabs[id]
    if (tab.session.kind !== 'live' || earlier?.session.kind !== 'live') return []
    const sessionId = tab.session.session.id
    const chart = findTabChart(tab)
    const isSame = chart === findTabChart(earlier) || earlier.session.session.id !== sessionId
    return chart === undefined || isSame ? [] : [{ type: 'set_chart', sessionId, chart }]
  })
}

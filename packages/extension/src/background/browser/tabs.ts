// Tabs as the browser shows them: which are open, which close or load, which the browser may unload, the
// panel of each, and the badge of the toolbar icon. Without the permission "tabs": it sees addresses of EHR pages only.
import { PANEL_PAGE } from '../../messages.ts'
import { buildBadge } from '../panel-state.ts'
import type { State } from '../state.ts'

export async function findOpenTabs(): Promise<number[]> {
  const tabs = await chrome.tabs.query({})
  return tabs.flatMap(({ id }) => (id === undefined ? [] : [id]))
}

export function followTabs(listener: {
  onClosed(tabId: number): Promise<void>
  onLoaded(tabId: number): Promise<void>
  /** Runs for pages that the extension may see; the content script reports addresses too. */
  onAddress(tabId: number, address: string): Promise<void>
}): void {
  chrome.tabs.onRemoved.addListener((tabId) => void listener.onClosed(tabId))
  chrome.tabs.onUpdated.addListener((tabId, { status, url }) => {
    if (url !== undefined) void listener.onAddress(tabId, url)
    if (status === 'complete') void listener.onLoaded(tabId)
  })
  // A tab that the browser swaps for another one, such as a preloaded page.
  chrome.tabs.onReplaced.addListener((_, removed) => void listener.onClosed(removed))
}

const findTab = (tabId: number | null): Promise<chrome.tabs.Tab | undefined> =>
  tabId === null ? Promise.resolve(undefined) : chrome.tabs.get(tabId).catch(() => undefined)

/** False when the tab is gone. */
export async function showTab(tabId: number): Promise<boolean> {
  const tab = await chrome.tabs.update(tabId, { active: true }).catch(() => undefined)
  if (tab) await chrome.windows.update(tab.windowId, { focused: true }).catch(() => {})
  return tab !== undefined
}

/** The id of the new tab. It stands beside its opener, which the browser knows as such. */
export async function openTabBeside(
  openerId: number | null,
  url: string,
): Promise<number | undefined> {
  const opener = await findTab(openerId)
  const place = opener && {
    openerTabId: openerId ?? -1,
    index: opener.index + 1,
    windowId: opener.windowId,
  }
  const { id } = await chrome.tabs.create({ url, ...place })
  return id
}

/**
 * Shows the other tab in its place, unless the person is elsewhere already. False when that one is gone
 * and the tab is in front: closing it would show a third one.
 */
export async function leaveTab(tabId: number, forTabId: number | null): Promise<boolean> {
  const tab = await findTab(tabId)
  if (!tab?.active) return true
  return forTabId !== null && (await showTab(forTabId))
}

/** Returns the active tab of the window that was used last. */
export async function findActiveTab(): Promise<number | null> {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true })
  return tab?.id ?? null
}

const panelPath = (tabId: number) => `${PANEL_PAGE}?tab=${tabId}`

/** A tab's own panel document. Synchronous: the browser asks for the click's own turn. */
export function openPanel(tabId: number): void {
  void chrome.sidePanel.setOptions({ tabId, path: panelPath(tabId), enabled: true })
  chrome.sidePanel.open({ tabId }).catch(() => {})
}

const kept = new Set<number>()

/** A tab that the browser unloads to save memory would end its apps, and what they have not saved. */
export function keepLoaded({ tabs }: State): void {
  const live = Object.keys(tabs).filter((id) => tabs[id]?.session.kind === 'live')
  const ids = new Set(live.map(Number))
  const changed = [...ids]
    .filter((id) => !kept.has(id))
    .concat([...kept].filter((id) => !ids.has(id)))
  for (const tabId of changed) {
    const isLive = ids.has(tabId)
    if (isLive) kept.add(tabId)
    else kept.delete(tabId)
    // The tab may be gone.
    chrome.tabs.update(tabId, { autoDiscardable: !isLive }).catch(() => {})
  }
}

const shown = new Map<number, string>()

/** Sets the badge of every tab that the state knows; other tabs have the badge of the sign-in. */
export function showBadges(state: State): void {
  const name = chrome.runtime.getManifest().name
  const ids = Object.keys(state.tabs).map(Number)
  for (const tabId of [-1, ...ids]) {
    const { text, title } = buildBadge(state, tabId, name)
    if (shown.get(tabId) === `${text} ${title}`) continue
    shown.set(tabId, `${text} ${title}`)
    const target = tabId === -1 ? {} : { tabId }
    // The tab may be gone.
    chrome.action.setBadgeText({ text, ...target }).catch(() => {})
    chrome.action.setTitle({ title, ...target }).catch(() => {})
  }
}

// Which tab is in front of the window of this panel. The browser's own event is the earliest sign: the panel
// gets it before the tab is drawn. Events count from the start, because the answer to the first question may
// be older than one of them.

type Listening<Args extends unknown[]> = {
  addListener(listener: (...args: Args) => void): void
}

/** The parts of `chrome.tabs` and `chrome.windows` that this needs. */
export interface BrowserTabs {
  readonly onActivated: Listening<[{ readonly tabId: number; readonly windowId: number }]>
  readonly onRemoved: Listening<[tabId: number]>
  readonly onDetached: Listening<[tabId: number]>
  readonly onReplaced: Listening<[added: number, removed: number]>
  findWindow(): Promise<Pick<chrome.windows.Window, 'id' | 'tabs'>>
}

export interface TabListener {
  readonly onFront: (tabId: number | null) => void
  /** The tab is closed, or in another window. */
  readonly onGone: (tabId: number) => void
}

export async function followTabInFront(
  tabs: BrowserTabs,
  { onFront, onGone }: TabListener,
): Promise<void> {
  let ownWindow: number | undefined
  /** The tab in front of each window, because its own is not known at first. */
  const inFront = new Map<number, number>()
  tabs.onActivated.addListener(({ tabId, windowId }) => {
    inFront.set(windowId, tabId)
    if (windowId === ownWindow) onFront(tabId)
  })
  tabs.onRemoved.addListener(onGone)
  tabs.onDetached.addListener(onGone)
  // A tab that the browser swaps for another one, such as a preloaded page.
  tabs.onReplaced.addListener((added, removed) => {
    onGone(removed)
    const found = [...inFront].find(([, tabId]) => tabId === removed)
    if (!found) return
    inFront.set(found[0], added)
    if (found[0] === ownWindow) onFront(added)
  })
  const { id, tabs: found = [] } = await tabs.findWindow()
  if (id === undefined) return
  ownWindow = id
  const answered = found.find(({ active }) => active)?.id
  if (answered !== undefined && !inFront.has(id)) inFront.set(id, answered)
  onFront(inFront.get(id) ?? null)
}

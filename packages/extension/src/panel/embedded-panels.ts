// The panels of charts inside the panel of a window. The browser opens the panel of a tab only in the turn
// of a press, so without them each further chart would cost one. Each is a document of its own, for one
// tab, which stays while the tab does: only that of the tab in front is shown.
import type { PanelState } from '../messages.ts'

type Tabs = Pick<PanelState, 'chartTabs' | 'ownPanels'>

export class EmbeddedPanels {
  readonly #place: HTMLElement
  readonly #beside: HTMLElement
  readonly #frames = new Map<number, HTMLIFrameElement>()
  #tabs: Tabs = {}
  #activeTab: number | null = null

  /** @param beside the panel of the window, which is hidden beside a chart */
  constructor(place: HTMLElement, beside: HTMLElement) {
    this.#place = place
    this.#beside = beside
  }

  show(tabs: Tabs): void {
    this.#tabs = tabs
    for (const tabId of tabs.ownPanels ?? []) this.#drop(tabId)
    this.#update()
  }

  /** The tab in front of this window. */
  activate(tabId: number | null): void {
    this.#activeTab = tabId
    this.#update()
  }

  /** The tab is closed, or in another window. */
  remove(tabId: number): void {
    this.#drop(tabId)
    this.activate(this.#activeTab === tabId ? null : this.#activeTab)
  }

  #drop(tabId: number): void {
    this.#frames.get(tabId)?.remove()
    this.#frames.delete(tabId)
  }

  #update(): void {
    const tabId = this.#activeTab
    const { chartTabs = [], ownPanels = [] } = this.#tabs
    if (tabId !== null && chartTabs.includes(tabId) && !ownPanels.includes(tabId)) this.#add(tabId)
    for (const [id, frame] of this.#frames) frame.hidden = id !== tabId
    this.#beside.hidden = tabId !== null && this.#frames.has(tabId)
  }

  #add(tabId: number): void {
    if (this.#frames.has(tabId)) return
    const frame = document.createElement('iframe')
    frame.className = 'embedded'
    frame.title = document.title
    frame.src = `panel.html?tab=${tabId}&in=window`
    this.#frames.set(tabId, frame)
    this.#place.append(frame)
  }
}

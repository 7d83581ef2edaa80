// The ports of the open panels: which tab each belongs to, what it has been sent, and the commands that
// it sends. A port counts only when a panel page of this extension opened it. Beside the panels of EHR
// tabs a window has one that the browser shows with every other tab, such as that of the sign-in.
import { type BackgroundMessage, PANEL_PAGE, PANEL_PORT, type PanelCommand } from '../messages.ts'
import { findTabChart } from './chart-rules.ts'
import type { Event } from './events.ts'
import { buildGrant, buildPanelState, findEnd, findFirstApp, NO_TAB } from './panel-state.ts'
import type { State } from './state.ts'
import { findTab } from './tab-rules.ts'

interface Panel {
  readonly port: chrome.runtime.Port
  readonly tabId: number
  readonly isEmbedded: boolean
  /** The session whose grant this port has, and the state that it got last. */
  granted: string | null
  shown: string
  /** The chart; undefined while the EHR of the tab has no patterns of charts. */
  chart: string | null | undefined
}

export interface PanelListener {
  readonly dispatch: (event: Event) => Promise<void>
  readonly command: (tabId: number, command: PanelCommand) => void
}

export class Panels {
  readonly #open = new Set<Panel>()
  readonly #listener: PanelListener

  constructor(listener: PanelListener) {
    this.#listener = listener
  }

  /** False for a port of another page. */
  accept(port: chrome.runtime.Port): boolean {
    const address = port.sender?.url ?? ''
    const tabId = readPanelTab(address)
    if (port.name !== PANEL_PORT || tabId === null) return false
    const isEmbedded = URL.parse(address)?.searchParams.get('in') === 'window'
    const panel: Panel = { port, tabId, isEmbedded, granted: null, shown: '', chart: undefined }
    this.#open.add(panel)
    port.onMessage.addListener((command: PanelCommand) => this.#listener.command(tabId, command))
    port.onDisconnect.addListener(() => {
      this.#open.delete(panel)
      const isLast = ![...this.#open].some((other) => other.tabId === tabId)
      if (isLast && tabId !== NO_TAB) void this.#listener.dispatch({ type: 'panel_closed', tabId })
    })
    if (tabId !== NO_TAB) void this.#listener.dispatch({ type: 'panel_opened', tabId, isEmbedded })
    return true
  }

  /** The panel of the window shows that of the tab already. */
  isEmbedded(tabId: number): boolean {
    return [...this.#open].some((panel) => panel.tabId === tabId && panel.isEmbedded)
  }

  send(tabId: number, message: BackgroundMessage): void {
    for (const panel of this.#open) if (panel.tabId === tabId) panel.port.postMessage(message)
  }

  /** Sends every panel what has changed for it. Returns the launches that a panel got. */
  show(state: State): string[] {
    return [...this.#open].flatMap((panel) => this.#showOne(panel, state))
  }

  /** Shows the chart of the tab, not of a session: work that an earlier session left is guarded as well. */
  #showChart(panel: Panel, found: string | null | undefined): void {
    const chart = found === undefined && panel.chart !== undefined ? null : found
    if (chart !== undefined && chart !== panel.chart) {
      panel.port.postMessage({ type: 'chart', chart } satisfies BackgroundMessage)
    }
    panel.chart = chart
  }

  #showOne(panel: Panel, state: State): string[] {
    const send = (message: BackgroundMessage) => panel.port.postMessage(message)
    const grant = buildGrant(state, panel.tabId)
    const sessionId = grant?.session.id ?? null
    const taken: string[] = []
    if (panel.granted !== sessionId) {
      if (panel.granted !== null) {
        send({ type: 'withdraw', sessionId: panel.granted, reason: findEnd(state, panel.tabId) })
      }
      if (grant) {
        send({ type: 'grant', grant, opensWith: findFirstApp(state, panel.tabId) })
        taken.push(...grant.launches.map(({ id }) => id))
      }
      panel.granted = sessionId
    }
    this.#showChart(panel, findTabChart(findTab(state, panel.tabId)))
    const shown = buildPanelState(state, panel.tabId)
    const text = JSON.stringify(shown)
    if (text !== panel.shown) send({ type: 'state', state: shown })
    panel.shown = text
    return taken
  }
}

/** The tab of a panel page of this extension, or {@link NO_TAB}; null for any other address. */
export function readPanelTab(address: string): number | null {
  const page = chrome.runtime.getURL(PANEL_PAGE)
  const url = URL.parse(address)
  if (!url || `${url.origin}${url.pathname}` !== page) return null
  const tab = url.searchParams.get('tab')
  if (tab === null) return NO_TAB
  return /^\d{1,15}$/.test(tab) ? Number(tab) : null
}

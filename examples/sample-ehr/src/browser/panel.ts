// The side panel of the sandbox: tabs for apps with a screen, chips for workers, one slot per app
// that the host fills. Workers open at once, a panel app when the panel is open (spec §1.1).
// Owns the panel's DOM and the selected tab; each app is an AppSlot.
import type { Host, LaunchState } from '@chartside/host'
import type { EhrSession } from '@chartside/protocol/launch'
import type { AppNotice } from './app-notices.ts'
import { AppSlot } from './app-slot.ts'
import { button, byId, el } from './elements.ts'

export class Panel {
  readonly #section = byId('panel', HTMLElement)
  readonly #slots: readonly AppSlot[]
  readonly #tabs: readonly AppSlot[]
  readonly #workers: readonly AppSlot[]
  readonly #again = button('Launch again', () => void this.#selected?.launchAgain())
  readonly #onSelect: (app: string) => void
  #selected: AppSlot | undefined

  /** `onSelect` gets the name of the app whose tab is selected. */
  constructor(host: Host, session: EhrSession, onSelect: (app: string) => void) {
    this.#onSelect = onSelect
    this.#slots = session.apps.flatMap((app) =>
      app.kinds.map((kind) => new AppSlot(host, app, kind)),
    )
    this.#tabs = this.#slots.filter(({ kind }) => kind === 'ui')
    this.#workers = this.#slots.filter(({ kind }) => kind === 'worker')
    for (const [index, tab] of this.#tabs.entries()) this.#listen(tab, index)
    this.#draw()
    const [first] = this.#tabs
    if (first) this.#select(first)
  }

  /** After the end of the session: what was open says so, and nothing can be launched. */
  end(): void {
    this.#again.hidden = true
    for (const slot of this.#slots) slot.end()
  }

  /** Selects an app that the developer has just added. */
  select(appId: string): void {
    const slot = this.#tabs.find(({ app }) => app.id === appId)
    if (slot) this.#select(slot)
  }

  onNotice(notice: AppNotice): string | null {
    const slots = this.#slots.filter(({ app }) => app.id === notice.appId)
    for (const slot of slots) slot.onNotice(notice)
    return slots[0]?.app.name ?? null
  }

  /** Opens workers, and the first panel app when the panel is visible. */
  start(): void {
    for (const worker of this.#workers) if (worker.app.autoLaunch) void worker.open()
    if (!this.#section.hidden) void this.#selected?.open()
  }

  /** Shows or hides the panel; a panel app opens when it is first visible. */
  show(isOpen: boolean): void {
    this.#section.hidden = !isOpen
    if (isOpen) void this.#selected?.open()
  }

  /** Sends the same launch to the selected app's frame again. */
  reloadFrame(): void {
    this.#selected?.reloadFrame()
  }

  /** A new launch for every open app. */
  launchAgain(): void {
    for (const slot of this.#slots) if (slot.frame) void slot.launchAgain()
  }

  showExpiring(launch: string, inSeconds: number): void {
    this.#slots.find(({ frame }) => frame?.launch.id === launch)?.showExpiring(inSeconds)
  }

  /** Of a launch; one that a later launch replaced has no slot. */
  setState(launch: string, state: LaunchState): void {
    this.#slots.find(({ frame }) => frame?.launch.id === launch)?.setState(state)
  }

  #select(slot: AppSlot): void {
    this.#selected = slot
    for (const tab of this.#tabs) {
      const isSelected = tab === slot
      tab.trigger.setAttribute('aria-selected', String(isSelected))
      tab.trigger.tabIndex = isSelected ? 0 : -1
      tab.mount.hidden = !isSelected
    }
    this.#onSelect(slot.app.name)
    if (!this.#section.hidden) void slot.open()
  }

  /** Mouse, and the keys of the ARIA tabs pattern. */
  #listen(tab: AppSlot, index: number): void {
    const count = this.#tabs.length
    tab.trigger.addEventListener('click', () => this.#select(tab))
    tab.trigger.addEventListener('keydown', (event) => {
      const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
      const next = this.#tabs.at(target === count ? 0 : (target ?? count))
      if (!next) return
      event.preventDefault()
      // Focus only: passing by an app must not launch it. Enter and Space are clicks.
      for (const other of this.#tabs) other.trigger.tabIndex = other === next ? 0 : -1
      next.trigger.focus()
    })
  }

  #draw(): void {
    const tabs = this.#tabs.map(({ trigger }) => trigger)
    const chips = this.#workers.map(({ trigger }) => trigger)
    const mounts = this.#tabs.map(({ mount }) => mount)
    const none = el('p', { class: 'slot-message' }, 'No app with a screen is set up for this EHR.')
    const list = el('div', { role: 'tablist', class: 'tabs', 'aria-label': 'Apps' }, ...tabs)
    const workers = el(
      'p',
      { class: 'background-apps' },
      el('span', { class: 'label' }, 'Background'),
      ...chips,
    )
    workers.hidden = chips.length === 0
    this.#section.replaceChildren(
      el('header', {}, list),
      el('div', { class: 'slots' }, ...(mounts.length > 0 ? mounts : [none])),
      el('footer', {}, workers, el('div', { class: 'actions' }, this.#again)),
    )
    // Outside the panel: workers keep running when the panel is closed.
    const workerMounts = this.#workers.map(({ mount }) => mount)
    byId('workers', HTMLElement).replaceChildren(...workerMounts)
  }
}

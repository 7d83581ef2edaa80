// The side panel of the sandbox: tabs for apps with a screen, chips for workers, one slot per app
// that the host fills. Workers open at once, a panel app when the panel is open (spec §1.1).
// Owns the panel's DOM; launching and the handshake are the host's.
import type { Host, HostEvent, OpenFrame } from '@chartside/host'
import type { AppKind, EhrSession, SessionApp } from '@chartside/protocol/launch'
import { button, byId, el } from './elements.ts'

export interface Panel {
  /** Opens workers, and the first panel app when the panel is showing. */
  start(): void
  /** Shows or hides the panel; a panel app loads when it first shows. */
  show(isOpen: boolean): void
  /** Sends the same launch to the app frame once more, as a reload by hand does. */
  reloadFrame(): void
  /** A new launch for every open app. */
  launchAgain(): void
  hear(event: HostEvent): void
}

interface Slot {
  readonly app: SessionApp
  readonly kind: AppKind
  readonly mount: HTMLElement
  readonly trigger: HTMLElement
  readonly message: HTMLElement
  frame: OpenFrame | null
  isOpening: boolean
}

export function createPanel(host: Host, session: EhrSession): Panel {
  const section = byId('panel', HTMLElement)
  const slots = session.apps.flatMap((app) => app.kinds.map((kind) => createSlot(app, kind)))
  const tabs = slots.filter(({ kind }) => kind === 'ui')
  const workers = slots.filter(({ kind }) => kind === 'worker')
  let selected = tabs[0]

  const open = async (slot: Slot): Promise<void> => {
    if (slot.frame || slot.isOpening) return
    slot.isOpening = true
    say(slot, '')
    try {
      const { app, kind, mount } = slot
      slot.frame = await host.open({ appId: app.id, kind, mount })
      if (kind === 'worker') slot.frame.element.tabIndex = -1
      mark(slot, 'opening')
    } catch (error) {
      mark(slot, 'failed')
      say(slot, error instanceof Error ? error.message : 'The app could not be launched.')
    } finally {
      slot.isOpening = false
    }
  }

  const launchAgain = (slot: Slot): void => {
    if (!slot.frame) return void open(slot)
    say(slot, '')
    slot.frame.reload().catch((error: unknown) => {
      say(slot, error instanceof Error ? error.message : 'The app could not be launched again.')
    })
  }

  const select = (slot: Slot): void => {
    selected = slot
    for (const tab of tabs) {
      const isSelected = tab === slot
      tab.trigger.setAttribute('aria-selected', String(isSelected))
      tab.trigger.tabIndex = isSelected ? 0 : -1
      tab.mount.hidden = !isSelected
    }
    if (!section.hidden) void open(slot)
  }

  const reloadFrame = (): void => {
    const element = selected?.frame?.element
    // The same Launch URL again: what a person's reload does to an app whose code is spent. Put in
    // place of the entry, so that Back still leaves the chart.
    element?.contentWindow?.location.replace(element.src)
  }

  for (const [index, tab] of tabs.entries()) {
    tab.trigger.addEventListener('click', () => select(tab))
    tab.trigger.addEventListener('keydown', (event) => {
      const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
      const next = tabs.at(target === tabs.length ? 0 : (target ?? tabs.length))
      if (!next) return
      event.preventDefault()
      select(next)
      next.trigger.focus()
    })
  }

  const chips = workers.map(({ trigger }) => trigger)
  section.replaceChildren(
    el(
      'header',
      {},
      el(
        'div',
        { role: 'tablist', class: 'tabs', 'aria-label': 'Apps' },
        ...tabs.map(({ trigger }) => trigger),
      ),
    ),
    el('div', { class: 'slots' }, ...tabs.map(({ mount }) => mount)),
    el(
      'footer',
      {},
      el('p', { class: 'unseen-apps' }, el('span', { class: 'label' }, 'Unseen'), ...chips),
      el(
        'div',
        { class: 'actions' },
        button('Reload', reloadFrame),
        button('Launch again', () => selected && launchAgain(selected)),
      ),
    ),
  )
  // Outside the panel, so that workers run on when it is closed.
  byId('workers', HTMLElement).replaceChildren(...workers.map(({ mount }) => mount))
  if (tabs.length === 0) {
    section
      .querySelector('.slots')
      ?.append(el('p', { class: 'slot-message' }, 'No app with a screen is set up for this EHR.'))
  }
  if (selected) select(selected)

  return {
    start: () => {
      for (const worker of workers) if (worker.app.autoLaunch) void open(worker)
      if (selected && !section.hidden) void open(selected)
    },
    show: (isOpen) => {
      section.hidden = !isOpen
      if (isOpen && selected) void open(selected)
    },
    reloadFrame,
    launchAgain: () => slots.filter(({ frame }) => frame).forEach(launchAgain),
    hear: (event) => {
      if (event.type === 'launch') {
        const slot = slots.find(({ frame }) => frame?.launch.id === event.view.id)
        if (slot && event.view.steps.at(-1)?.outcome === 'failed') mark(slot, 'failed')
      }
      if (!('frame' in event)) return
      const slot = slots.find(({ frame }) => frame === event.frame && frame !== null)
      if (!slot) return
      if (event.type === 'opened') mark(slot, 'opening')
      if (event.type === 'context') mark(slot, 'ready')
      if (event.type === 'refused' || event.type === 'hello_timeout') mark(slot, 'failed')
      // A failure ends a launch too; what failed is the better news to show.
      if (event.type === 'ended' && slot.trigger.dataset.state !== 'failed') mark(slot, 'ended')
    },
  }
}

function createSlot(app: SessionApp, kind: AppKind): Slot {
  const id = `${kind}-${app.id}`
  const message = el('p', { class: 'slot-message', role: 'status' })
  const dot = el('span', { class: 'dot', 'aria-hidden': 'true' })
  if (kind === 'worker') {
    return {
      app,
      kind,
      mount: el('div', {}, message),
      trigger: el('span', { class: 'chip', 'data-state': 'closed' }, dot, app.name),
      message,
      frame: null,
      isOpening: false,
    }
  }
  const trigger = el(
    'button',
    { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `slot-${id}` },
    dot,
    app.name,
  )
  const mount = el(
    'div',
    { class: 'slot', role: 'tabpanel', id: `slot-${id}`, 'aria-labelledby': `tab-${id}` },
    message,
  )
  return { app, kind, mount, trigger, message, frame: null, isOpening: false }
}

function mark(slot: Slot, state: 'opening' | 'ready' | 'failed' | 'ended'): void {
  slot.trigger.dataset.state = state
  slot.trigger.title = `${slot.app.name}: ${state}`
}

function say(slot: Slot, text: string): void {
  slot.message.textContent = text
}

// Hosts the UI apps of one EHR session in the panel: a place for each app, one frame in it, launch after
// launch. It knows no views; what happens goes to the slots. The session token of a grant stays in the
// memory of the host. A session that is over keeps the frames with work that is not saved until they
// are closed.
import {
  type Host,
  HostError,
  type HostEvent,
  type HostOptions,
  type OpenFrame,
} from '@chartside/host'
import type { EndReason } from '@chartside/protocol/handshake'
import type { HostGrant } from '../messages.ts'
import {
  applyEvent,
  applyLaunch,
  applyState,
  emptySlot,
  endSlot,
  refuseSlot,
  requestSlot,
  type Slot,
} from './slots.ts'

export interface Hosting {
  /**
   * Opens the apps that open by themselves, and this one, which the person had open here. A grant of the
   * session that is hosted already changes nothing.
   */
  start(grant: HostGrant, appId: string | null): void
  /** The session is over. */
  withdraw(sessionId: string, reason: EndReason): void
  /** Opens an app, or launches it again when it has a frame. */
  launch(appId: string): void
  /** Ends the launch and removes the frame. */
  close(appId: string): void
  /** Shows one app's frame, and keeps keys and screen readers out of the others and of a covered one. */
  show(appId: string | null, isCovered: boolean): void
  focus(appId: string): void
  /** The chart of the tab; null when none is open. */
  setChart(chart: string | null): void
  /** The person decides over an app that the chart covers. */
  openForChart(appId: string): void
  goOnWithEarlierChart(appId: string): void
}

export interface HostingListener {
  /** The host of a session that was granted. */
  createHost(grant: HostGrant, listener: HostListener): Host
  onSlots(change: (slots: readonly Slot[]) => readonly Slot[]): void
  /** The launches in frames have changed. */
  onLaunches(launches: readonly string[]): void
  /** The sign-in ends then; null when it does no more. */
  onSignInEnds(ends: { readonly at: number; readonly reason: 'idle' | 'expired' } | null): void
  now(): number
}

type HostListener = Required<Pick<HostOptions, 'onEvent' | 'onState'>>

interface FrameSlot {
  readonly element: HTMLElement
  frame: OpenFrame | null
}

interface HostedSession {
  readonly grant: HostGrant
  readonly host: Host
  readonly frameSlots: Map<string, FrameSlot>
}

class PanelHosting implements Hosting {
  readonly #root: HTMLElement
  readonly #listener: HostingListener
  readonly #sessions: HostedSession[] = []
  /** The launches of a grant are for the first opening of each app. */
  readonly #grantsUsed = new WeakSet<HostedSession>()
  readonly #endedSessions = new WeakSet<HostedSession>()

  constructor(root: HTMLElement, listener: HostingListener) {
    this.#root = root
    this.#listener = listener
  }

  start(grant: HostGrant, appId: string | null): void {
    if (this.#sessions.some((one) => one.grant.session.id === grant.session.id)) return
    const apps = grant.session.apps.filter(({ kinds }) => kinds.includes('ui'))
    const session: HostedSession = { grant, host: this.#createHost(grant), frameSlots: new Map() }
    this.#sessions.push(session)
    // Work that an earlier session left stays until the person closes it.
    const isKept = (id: string) => this.#isKeptElsewhere(session, id)
    this.#listener.onSlots((slots) => [
      ...slots.filter(({ appId }) => !apps.some(({ id }) => id === appId) && isKept(appId)),
      ...apps.map(({ id, name }) =>
        isKept(id)
          ? (slots.find(({ appId }) => appId === id) ?? emptySlot(id, name))
          : emptySlot(id, name),
      ),
    ])
    const isGranted = (id: string) => grant.launches.some(({ app }) => app.id === id)
    for (const { id, autoLaunch } of apps) {
      const isWanted = autoLaunch || isGranted(id) || id === appId
      if (isWanted && !isKept(id)) void this.#open(session, id)
    }
    this.#grantsUsed.add(session)
  }

  withdraw(sessionId: string, reason: EndReason): void {
    const session = this.#sessions.find(({ grant }) => grant.session.id === sessionId)
    if (!session) return
    const kept = new Set<string>()
    this.#listener.onSlots((slots) =>
      slots.flatMap((slot) => {
        if (!session.frameSlots.has(slot.appId)) {
          return this.#isKeptElsewhere(session, slot.appId) ? [slot] : []
        }
        if (!slot.hasUnsavedWork) return []
        kept.add(slot.appId)
        return [endSlot(slot, this.#listener.now())]
      }),
    )
    this.#endedSessions.add(session)
    session.host.end(reason)
    for (const appId of [...session.frameSlots.keys()]) {
      if (!kept.has(appId)) this.#removeFrame(session, appId)
    }
    this.#closeIfEmpty(session)
  }

  launch(appId: string): void {
    const session = this.#findSession(appId)
    if (!session) return
    const frame = session.frameSlots.get(appId)?.frame
    if (frame && session.host.findState(frame.launch.id).kind !== 'ended') {
      this.#changeSlot(appId, (slot) => requestSlot(slot, this.#listener.now()))
      frame.reload().catch((error: unknown) => this.#refuse(appId, error))
      return
    }
    this.#removeFrame(session, appId)
    void this.#open(session, appId)
  }

  close(appId: string): void {
    const session = this.#findSession(appId)
    if (!session) return
    this.#removeFrame(session, appId)
    this.#changeSlot(appId, (slot) => emptySlot(appId, slot.name))
    this.#closeIfEmpty(session)
  }

  show(appId: string | null, isCovered: boolean): void {
    for (const { frameSlots } of this.#sessions) {
      for (const [id, { element }] of frameSlots) {
        element.hidden = id !== appId
        element.inert = isCovered
      }
    }
  }

  focus(appId: string): void {
    this.#findSession(appId)?.frameSlots.get(appId)?.frame?.element.focus()
  }

  setChart(chart: string | null): void {
    for (const { host } of this.#sessions) host.setChart(chart)
  }

  openForChart(appId: string): void {
    this.#findSession(appId)?.frameSlots.get(appId)?.frame?.openForChart()
  }

  goOnWithEarlierChart(appId: string): void {
    this.#findSession(appId)?.frameSlots.get(appId)?.frame?.goOnWithEarlierChart()
  }

  #createHost(grant: HostGrant): Host {
    const host = this.#listener.createHost(grant, {
      onEvent: (event) => this.#receive(event),
      onState: (launch, state) =>
        this.#listener.onSlots((slots) =>
          slots.map((slot) => applyState(slot, launch, state, this.#listener.now())),
        ),
    })
    if (grant.chart !== undefined) host.setChart(grant.chart)
    return host
  }

  #receive(event: HostEvent): void {
    const listener = this.#listener
    if ('frame' in event && event.frame && event.type !== 'ignored') {
      this.#changeSlot(event.frame.launch.app.id, (slot) => applyEvent(slot, event, listener.now()))
    }
    if (event.type === 'relaunched') this.#reportLaunches()
    if (event.type === 'launch') {
      listener.onSlots((slots) => slots.map((slot) => applyLaunch(slot, event.view)))
    }
    if (event.type === 'idle') {
      const { endsAt: at, reason } = event
      listener.onSignInEnds(at === null ? null : { at, reason })
    }
  }

  async #open(session: HostedSession, appId: string): Promise<void> {
    const element = this.#root.ownerDocument.createElement('div')
    element.className = 'place'
    element.dataset.app = appId
    const frameSlot: FrameSlot = { element, frame: null }
    session.frameSlots.set(appId, frameSlot)
    this.#root.append(element)
    this.#changeSlot(appId, (slot) => requestSlot(slot, this.#listener.now()))
    const { launches } = session.grant
    const isFirst = !this.#grantsUsed.has(session)
    const launch = isFirst ? launches.find(({ app }) => app.id === appId) : undefined
    try {
      const options = { appId, kind: 'ui', mount: element } as const
      frameSlot.frame = await session.host.open(launch ? { ...options, launch } : options)
      // It was closed meanwhile.
      if (session.frameSlots.get(appId) !== frameSlot) frameSlot.frame.close()
      this.#reportLaunches()
    } catch (error) {
      if (session.frameSlots.get(appId) !== frameSlot) return
      this.#removeFrame(session, appId)
      this.#refuse(appId, error)
    }
  }

  #removeFrame(session: HostedSession, appId: string): void {
    const frameSlot = session.frameSlots.get(appId)
    session.frameSlots.delete(appId)
    frameSlot?.frame?.close()
    frameSlot?.element.remove()
    this.#reportLaunches()
  }

  /** Closes the host of a session that is over once nothing is kept in it. */
  #closeIfEmpty(session: HostedSession): void {
    if (!this.#endedSessions.has(session) || session.frameSlots.size > 0) return
    this.#sessions.splice(this.#sessions.indexOf(session), 1)
    session.host.close()
  }

  #findSession(appId: string): HostedSession | undefined {
    return (
      this.#sessions.findLast(({ frameSlots }) => frameSlots.has(appId)) ?? this.#sessions.at(-1)
    )
  }

  #isKeptElsewhere(session: HostedSession, appId: string): boolean {
    return this.#sessions.some((one) => one !== session && one.frameSlots.has(appId))
  }

  #refuse(appId: string, error: unknown): void {
    const { code, message, traceId } = describeFailure(error)
    this.#changeSlot(appId, (slot) =>
      refuseSlot(slot, { code, message, traceId }, this.#listener.now()),
    )
  }

  #changeSlot(appId: string, change: (slot: Slot) => Slot): void {
    this.#listener.onSlots((slots) =>
      slots.map((slot) => (slot.appId === appId ? change(slot) : slot)),
    )
  }

  #reportLaunches(): void {
    this.#listener.onLaunches(
      this.#sessions.flatMap(({ frameSlots }) =>
        [...frameSlots.values()].flatMap(({ frame }) => (frame ? [frame.launch.id] : [])),
      ),
    )
  }
}

export const createHosting = (root: HTMLElement, listener: HostingListener): Hosting =>
  new PanelHosting(root, listener)

function describeFailure(error: unknown): {
  code: string
  message: string
  traceId: string | null
} {
  if (error instanceof HostError) return error
  return { code: 'failed', message: error instanceof Error ? error.message : '', traceId: null }
}

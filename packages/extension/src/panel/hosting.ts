// Hosts the UI apps of one EHR session in the panel: a place for each app, one frame in it, launch after
// launch. It knows no views; what happens goes to the slots. The session token of a grant stays in the
// memory of the host. A session that is over keeps the frames with work that is not saved until they
// are closed.
import { createHost, type Host, HostError, type HostEvent, type OpenFrame } from '@chartside/host'
import type { EndReason } from '@chartside/protocol/handshake'
import { followShared } from '../event-relay.ts'
import { hostVersion } from '../host-version.ts'
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
  /** A grant of the session that is hosted already changes nothing. */
  start(grant: HostGrant): void
  /** The session is over. */
  withdraw(sessionId: string, reason: EndReason): void
  /** Opens an app, or launches it again when it has a frame. */
  launch(appId: string): void
  /** Ends the launch and removes the frame. */
  close(appId: string): void
  /** Shows one app's frame, and keeps keys and screen readers out of the others and of a covered one. */
  show(appId: string | null, isCovered: boolean): void
  focus(appId: string): void
}

export interface HostingListener {
  onSlots(change: (slots: readonly Slot[]) => readonly Slot[]): void
  /** The launches in frames have changed. */
  onLaunches(launches: readonly string[]): void
  /** The sign-in ends then; null when it does no more. */
  onSignInEnds(ends: { readonly at: number; readonly reason: 'idle' | 'expired' } | null): void
  now(): number
}

/** The place of one app in the panel, with the frame that it shows. */
interface FrameSlot {
  readonly element: HTMLElement
  frame: OpenFrame | null
}

interface HostedSession {
  readonly grant: HostGrant
  readonly host: Host
  readonly places: Map<string, FrameSlot>
  /** The launches of a grant are for the first opening of each app. */
  areGrantsUsed: boolean
  hasEnded: boolean
}

class PanelHosting implements Hosting {
  readonly #root: HTMLElement
  readonly #listener: HostingListener
  readonly #sessions: HostedSession[] = []

  constructor(root: HTMLElement, listener: HostingListener) {
    this.#root = root
    this.#listener = listener
  }

  start(grant: HostGrant): void {
    if (this.#sessions.some((one) => one.grant.session.id === grant.session.id)) return
    const session: HostedSession = {
      ...{ grant, host: this.#createHost(grant), places: new Map() },
      ...{ areGrantsUsed: false, hasEnded: false },
    }
    this.#sessions.push(session)
    const apps = grant.session.apps.filter(({ kinds }) => kinds.includes('ui'))
    // Work that an earlier session left stays until the person closes it.
    const isKept = (id: string) => this.#isKeptElsewhere(session, id)
    this.#listener.onSlots((slots) => [
      ...slots.filter(({ appId }) => !apps.some(({ id }) => id === appId) && isKept(appId)),
      ...apps.map(({ id, name }) => {
        const kept = isKept(id) ? slots.find(({ appId }) => appId === id) : undefined
        return kept ?? emptySlot(id, name)
      }),
    ])
    const isGranted = (id: string) => grant.launches.some(({ app }) => app.id === id)
    for (const { id, autoLaunch } of apps) {
      if ((autoLaunch || isGranted(id)) && !isKept(id)) void this.#open(session, id)
    }
    session.areGrantsUsed = true
  }

  withdraw(sessionId: string, reason: EndReason): void {
    const session = this.#sessions.find(({ grant }) => grant.session.id === sessionId)
    if (!session) return
    const kept = new Set<string>()
    this.#listener.onSlots((slots) =>
      slots.flatMap((slot) => {
        if (!session.places.has(slot.appId)) {
          return this.#isKeptElsewhere(session, slot.appId) ? [slot] : []
        }
        if (!slot.hasUnsavedWork) return []
        kept.add(slot.appId)
        return [endSlot(slot, this.#listener.now())]
      }),
    )
    session.hasEnded = true
    session.host.end(reason)
    for (const appId of [...session.places.keys()]) {
      if (!kept.has(appId)) this.#removePlace(session, appId)
    }
    this.#closeIfEmpty(session)
  }

  launch(appId: string): void {
    const { session, place } = this.#find(appId)
    if (!session) return
    const isOver = place?.frame && session.host.findState(place.frame.launch.id).kind === 'ended'
    if (place?.frame && !isOver) {
      this.#changeSlot(appId, (slot) => requestSlot(slot, this.#listener.now()))
      place.frame.reload().catch((error: unknown) => this.#refuse(appId, error))
      return
    }
    this.#removePlace(session, appId)
    void this.#open(session, appId)
  }

  close(appId: string): void {
    const { session } = this.#find(appId)
    if (!session) return
    this.#removePlace(session, appId)
    this.#changeSlot(appId, (slot) => emptySlot(appId, slot.name))
    this.#closeIfEmpty(session)
  }

  show(appId: string | null, isCovered: boolean): void {
    for (const { places } of this.#sessions) {
      for (const [id, { element }] of places) {
        element.hidden = id !== appId
        element.inert = isCovered
      }
    }
  }

  focus(appId: string): void {
    this.#find(appId).place?.frame?.element.focus()
  }

  #createHost(grant: HostGrant): Host {
    const listener = this.#listener
    return createHost({
      service: grant.service,
      sessionToken: grant.sessionToken,
      session: grant.session,
      // The background reports that of every page and panel.
      reportsActivity: false,
      version: hostVersion(),
      openEvents: (own, signal) => followShared(grant.session.id, own, signal),
      onEvent: (event) => this.#takeEvent(event),
      onState: (launch, state) =>
        listener.onSlots((slots) =>
          slots.map((slot) => applyState(slot, launch, state, listener.now())),
        ),
    })
  }

  #takeEvent(event: HostEvent): void {
    const listener = this.#listener
    if ('frame' in event && event.frame && event.type !== 'ignored') {
      const { id } = event.frame.launch.app
      this.#changeSlot(id, (slot) => applyEvent(slot, event, listener.now()))
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
    const element = document.createElement('div')
    element.className = 'place'
    element.dataset.app = appId
    const place: FrameSlot = { element, frame: null }
    session.places.set(appId, place)
    this.#root.append(element)
    this.#changeSlot(appId, (slot) => requestSlot(slot, this.#listener.now()))
    const launch = session.areGrantsUsed
      ? undefined
      : session.grant.launches.find(({ app }) => app.id === appId)
    try {
      const options = { appId, kind: 'ui', mount: element } as const
      place.frame = await session.host.open(launch ? { ...options, launch } : options)
      // The person may have closed it before it was open.
      if (session.places.get(appId) !== place) place.frame.close()
      this.#reportLaunches()
    } catch (error) {
      if (session.places.get(appId) !== place) return
      this.#removePlace(session, appId)
      this.#refuse(appId, error)
    }
  }

  #refuse(appId: string, error: unknown): void {
    const { code, message, traceId } = describeFailure(error)
    const failure = { code, message, traceId }
    this.#changeSlot(appId, (slot) => refuseSlot(slot, failure, this.#listener.now()))
  }

  #find(appId: string) {
    const sessions = this.#sessions
    const session = sessions.findLast(({ places }) => places.has(appId)) ?? sessions.at(-1)
    return { session, place: session?.places.get(appId) }
  }

  #changeSlot(appId: string, change: (slot: Slot) => Slot): void {
    this.#listener.onSlots((slots) =>
      slots.map((slot) => (slot.appId === appId ? change(slot) : slot)),
    )
  }

  #reportLaunches(): void {
    this.#listener.onLaunches(
      this.#sessions.flatMap(({ places }) =>
        [...places.values()].flatMap(({ frame }) => (frame ? [frame.launch.id] : [])),
      ),
    )
  }

  #removePlace(session: HostedSession, appId: string): void {
    const place = session.places.get(appId)
    session.places.delete(appId)
    place?.frame?.close()
    place?.element.remove()
    this.#reportLaunches()
  }

  #isKeptElsewhere(session: HostedSession, appId: string): boolean {
    return this.#sessions.some((one) => one !== session && one.places.has(appId))
  }

  /** Closes the host of a session that is over once nothing is kept in it. */
  #closeIfEmpty(session: HostedSession): void {
    if (!session.hasEnded || session.places.size > 0) return
    this.#sessions.splice(this.#sessions.indexOf(session), 1)
    session.host.close()
  }
}

/** `root`: the element that takes the frames of the apps. */
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

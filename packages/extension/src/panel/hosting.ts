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

interface Place {
  readonly element: HTMLElement
  frame: OpenFrame | null
}

interface Hosted {
  readonly grant: HostGrant
  readonly host: Host
  readonly places: Map<string, Place>
}

export function createHosting(root: HTMLElement, listener: HostingListener): Hosting {
  const hosted: Hosted[] = []
  const find = (appId: string) => {
    const session = hosted.findLast(({ places }) => places.has(appId)) ?? hosted.at(-1)
    return { session, place: session?.places.get(appId) }
  }
  const changeSlot = (appId: string, change: (slot: Slot) => Slot) =>
    listener.onSlots((slots) => slots.map((slot) => (slot.appId === appId ? change(slot) : slot)))
  const reportLaunches = () =>
    listener.onLaunches(
      hosted.flatMap(({ places }) =>
        [...places.values()].flatMap(({ frame }) => (frame ? [frame.launch.id] : [])),
      ),
    )

  function onEvent(event: HostEvent): void {
    if ('frame' in event && event.frame && event.type !== 'ignored') {
      changeSlot(event.frame.launch.app.id, (slot) => applyEvent(slot, event, listener.now()))
    }
    if (event.type === 'relaunched') reportLaunches()
    if (event.type === 'launch') {
      listener.onSlots((slots) => slots.map((slot) => applyLaunch(slot, event.view)))
    }
    if (event.type === 'idle') {
      const { endsAt: at, reason } = event
      listener.onSignInEnds(at === null ? null : { at, reason })
    }
  }

  async function open(session: Hosted, appId: string): Promise<void> {
    const element = document.createElement('div')
    element.className = 'place'
    element.dataset.app = appId
    const place: Place = { element, frame: null }
    session.places.set(appId, place)
    root.append(element)
    changeSlot(appId, (slot) => requestSlot(slot, listener.now()))
    const isFirst = !used.has(session)
    const launch = isFirst ? session.grant.launches.find(({ app }) => app.id === appId) : undefined
    try {
      const options = { appId, kind: 'ui', mount: element } as const
      place.frame = await session.host.open(launch ? { ...options, launch } : options)
      // It was closed meanwhile.
      if (session.places.get(appId) !== place) place.frame.close()
      reportLaunches()
    } catch (error) {
      if (session.places.get(appId) !== place) return
      removePlace(session, appId)
      const { code, message, traceId } = describeFailure(error)
      changeSlot(appId, (slot) => refuseSlot(slot, { code, message, traceId }, listener.now()))
    }
  }

  /** The launches of a grant are for the first opening of each app. */
  const used = new WeakSet<Hosted>()
  const over = new WeakSet<Hosted>()

  function removePlace(session: Hosted, appId: string): void {
    const place = session.places.get(appId)
    session.places.delete(appId)
    place?.frame?.close()
    place?.element.remove()
    reportLaunches()
  }

  const isKeptElsewhere = (session: Hosted, appId: string) =>
    hosted.some((one) => one !== session && one.places.has(appId))

  /** Closes the host of a session that is over once nothing is kept in it. */
  function closeIfEmpty(session: Hosted): void {
    if (!over.has(session) || session.places.size > 0) return
    hosted.splice(hosted.indexOf(session), 1)
    session.host.close()
  }

  return {
    start(grant) {
      if (hosted.some((one) => one.grant.session.id === grant.session.id)) return
      const apps = grant.session.apps.filter(({ kinds }) => kinds.includes('ui'))
      const host = createHost({
        service: grant.service,
        sessionToken: grant.sessionToken,
        session: grant.session,
        // The background reports that of every page and panel.
        reportsActivity: false,
        version: hostVersion(),
        openEvents: (own, signal) => followShared(grant.session.id, own, signal),
        onEvent,
        onState: (launch, state) =>
          listener.onSlots((slots) =>
            slots.map((slot) => applyState(slot, launch, state, listener.now())),
          ),
      })
      const session: Hosted = { grant, host, places: new Map() }
      hosted.push(session)
      // Work that an earlier session left stays until the person closes it.
      const isKept = (id: string) => hosted.some((one) => one !== session && one.places.has(id))
      listener.onSlots((slots) => [
        ...slots.filter(({ appId }) => !apps.some(({ id }) => id === appId) && isKept(appId)),
        ...apps.map(({ id, name }) =>
          isKept(id)
            ? (slots.find(({ appId }) => appId === id) ?? emptySlot(id, name))
            : emptySlot(id, name),
        ),
      ])
      const isGranted = (id: string) => grant.launches.some(({ app }) => app.id === id)
      for (const { id, autoLaunch } of apps) {
        if ((autoLaunch || isGranted(id)) && !isKept(id)) void open(session, id)
      }
      used.add(session)
    },

    withdraw(sessionId, reason) {
      const session = hosted.find(({ grant }) => grant.session.id === sessionId)
      if (!session) return
      const kept = new Set<string>()
      listener.onSlots((slots) =>
        slots.flatMap((slot) => {
          if (!session.places.has(slot.appId))
            return isKeptElsewhere(session, slot.appId) ? [slot] : []
          if (!slot.hasUnsavedWork) return []
          kept.add(slot.appId)
          return [endSlot(slot, listener.now())]
        }),
      )
      over.add(session)
      session.host.end(reason)
      for (const appId of [...session.places.keys()]) {
        if (!kept.has(appId)) removePlace(session, appId)
      }
      closeIfEmpty(session)
    },

    launch(appId) {
      const { session, place } = find(appId)
      if (!session) return
      const isOver = place?.frame && session.host.findState(place.frame.launch.id).kind === 'ended'
      if (place?.frame && !isOver) {
        changeSlot(appId, (slot) => requestSlot(slot, listener.now()))
        place.frame.reload().catch((error: unknown) => {
          changeSlot(appId, (slot) => refuseSlot(slot, describeFailure(error), listener.now()))
        })
        return
      }
      removePlace(session, appId)
      void open(session, appId)
    },

    close(appId) {
      const { session } = find(appId)
      if (!session) return
      removePlace(session, appId)
      changeSlot(appId, (slot) => emptySlot(appId, slot.name))
      closeIfEmpty(session)
    },

    show(appId, isCovered) {
      for (const { places } of hosted) {
        for (const [id, { element }] of places) {
          element.hidden = id !== appId
          element.inert = isCovered
        }
      }
    },

    focus(appId) {
      find(appId).place?.frame?.element.focus()
    },
  }
}

function describeFailure(error: unknown): {
  code: string
  message: string
  traceId: string | null
} {
  if (error instanceof HostError) return error
  return { code: 'failed', message: error instanceof Error ? error.message : '', traceId: null }
}

// What the panel knows of each UI app: the state of its launch, when it began to open, whether it has
// work that is not saved. Pure: a slot and an event of the host give the next slot. Moments are
// milliseconds since 1970.

import { type ChartView, type HostEvent, type LaunchState, NOT_STARTED } from '@chartside/host'
import type { Launch, LaunchSpan, LaunchStep } from '@chartside/protocol/launch'

export interface Slot {
  readonly appId: string
  readonly name: string
  /** The `Launch.id` of the launch in the frame; null while none was opened. */
  readonly launchId: string | null
  readonly state: LaunchState
  readonly openingSince: number | null
  /** The time when it failed or ended. */
  readonly overSince: number | null
  readonly hasUnsavedWork: boolean
  /** Its token was over, and it opens again. */
  readonly isRenewing: boolean
  /** The time when the host launches it again, once that is near. */
  readonly renewsAt: number | null
  /** Whether the app may be seen beside the chart of the tab. */
  readonly chart: ChartView
  readonly traceId: string
  /** The version of the page that said hello; empty before. */
  readonly sdkVersion: string
  /** The events of the launch that the host saw in the frame, for the diagnostics. */
  readonly notes: readonly SlotNote[]
  /** The steps of the launch as the service knows them, for the diagnostics. */
  readonly steps: readonly LaunchStep[]
  readonly spans: readonly LaunchSpan[]
}

export interface SlotNote {
  readonly at: number
  readonly name: string
  readonly isFailure?: true
  readonly detail: string
}

export const emptySlot = (appId: string, name = ''): Slot => ({
  appId,
  name,
  launchId: null,
  state: NOT_STARTED,
  openingSince: null,
  overSince: null,
  hasUnsavedWork: false,
  isRenewing: false,
  renewsAt: null,
  chart: { kind: 'shown', isChartOpen: false },
  traceId: '',
  sdkVersion: '',
  notes: [],
  steps: [],
  spans: [],
})

/** The person asked for it; the launch is not there yet. */
export const requestSlot = (slot: Slot, now: number): Slot => ({
  ...emptySlot(slot.appId, slot.name),
  state: { kind: 'opening', hasHello: false, isSlow: false },
  openingSince: now,
})

/** No launch was made. */
export const refuseSlot = (
  slot: Slot,
  failure: { readonly code: string; readonly message: string; readonly traceId: string | null },
  now: number,
): Slot => ({
  ...slot,
  state:
    failure.code === 'app_not_available'
      ? { kind: 'disabled', cause: failure.message }
      : {
          kind: 'failed',
          hasHello: false,
          step: 'created',
          code: failure.code,
          cause: failure.message,
          fix: '',
        },
  openingSince: null,
  overSince: now,
  traceId: failure.traceId ?? '',
})

/** Its session is over; the frame stays with what is not saved. */
export const endSlot = (slot: Slot, now: number): Slot =>
  slot.state.kind === 'ended'
    ? slot
    : { ...slot, state: { kind: 'ended', hasHello: true, reason: 'closed' }, overSince: now }

/** An event of the slot's own frame. */
export function applyEvent(slot: Slot, event: HostEvent, now: number): Slot {
  const next = applyFrameEvent(slot, event, now)
  const note = describeNote(event)
  return note === null ? next : { ...next, notes: [...next.notes, { at: now, ...note }] }
}

function applyFrameEvent(slot: Slot, event: HostEvent, now: number): Slot {
  switch (event.type) {
    case 'opened':
      return {
        ...emptySlot(slot.appId, slot.name),
        state: slot.state,
        launchId: event.launch,
        openingSince: slot.launchId === null ? (slot.openingSince ?? now) : now,
      }
    case 'handshake':
      return { ...slot, sdkVersion: event.sdkVersion }
    case 'relaunched':
      return { ...slot, isRenewing: event.because === 'expired' }
    case 'context':
      return { ...slot, isRenewing: false, openingSince: null, renewsAt: null }
    case 'expiring':
      return { ...slot, renewsAt: now + event.inSeconds * 1000 }
    case 'chart':
      return { ...slot, chart: event.chart }
    case 'unsaved_work':
      return { ...slot, hasUnsavedWork: event.isUnsaved }
    case 'refused':
      return { ...slot, traceId: event.traceId }
    default:
      return slot
  }
}

/** Applies what the service streamed about the launch in the frame. */
export const applyLaunch = (slot: Slot, { id, steps, spans }: Launch): Slot =>
  slot.launchId === id ? { ...slot, steps, spans } : slot

/** A state of the host's state machine, for the launch that is in the frame. */
export function applyState(slot: Slot, launch: string, state: LaunchState, now: number): Slot {
  if (slot.launchId !== launch) return slot
  const isOver = state.kind === 'failed' || state.kind === 'ended' || state.kind === 'disabled'
  return { ...slot, state, overSince: isOver ? (slot.overSince ?? now) : null }
}

function describeNote(event: HostEvent): Omit<SlotNote, 'at'> | null {
  switch (event.type) {
    case 'opened':
      return { name: event.type, detail: '' }
    case 'handshake':
      return { name: event.type, detail: `SDK ${event.sdkVersion}` }
    case 'context':
      return { name: event.type, detail: '' }
    case 'slow':
      return { name: event.type, detail: `no hello after ${event.afterMs} ms` }
    case 'waiting':
      return { name: event.type, detail: `${event.message} ${event.fix}` }
    case 'hello_timeout':
      return { name: event.type, isFailure: true, detail: `${event.message} ${event.fix}` }
    case 'refused':
      return {
        name: `refused by ${event.by}`,
        isFailure: true,
        detail: `${event.code}: ${event.message} ${event.fix}`,
      }
    case 'ended':
      return { name: event.type, detail: event.reason }
    default:
      return null
  }
}

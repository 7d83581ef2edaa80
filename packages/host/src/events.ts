// The events that a host emits to its page: one discriminated union, for panels, timelines and
// logs. They carry ids that are safe to show and sentences for people; they never carry a
// launch_id, a token or another bearer value. Contract §5; security X02, X04.
import type { EndReason } from '@chartside/protocol/handshake'
import type {
  AppKind,
  HostStepName,
  Launch,
  LaunchApp,
  LaunchStepName,
} from '@chartside/protocol/launch'

/** One app in one place of the page. It outlives its launches: an expired one is followed by the next. */
export interface OpenFrame {
  /** The frame's own id, unique within its host. */
  readonly id: string
  readonly kind: AppKind
  /** The launch now in the frame; `id` is `Launch.id`. Another one after `relaunched`. */
  readonly launch: { readonly id: string; readonly app: LaunchApp }
  /**
   * The iframe of that launch, to be read when it is needed: each launch gets a new one, in the
   * same place and with the same attributes, without the listeners.
   */
  readonly element: HTMLIFrameElement
  /** The app says so; ask the person before `reload`, `openForChart` and `close`. */
  readonly hasUnsavedWork: boolean
  /** Whether the app may be seen beside the chart that is open. */
  readonly chart: ChartView
  /** Launches the app again, with a new launch_id, in the same place. */
  reload(): Promise<void>
  /** Launches the app again for the chart that is open now, while the chart covers the app. */
  openForChart(): void
  /** Shows the app again until another chart is opened, while the chart covers the app. */
  goOnWithEarlierChart(): void
  /** Ends the channel and removes the iframe. */
  close(): void
}

/** The host hides the iframe while it is covered; the page says why, and offers what the person can do. */
export interface ChartView {
  readonly kind: /** The app was opened for this chart, or does not depend on it. */
    | 'shown'
    /** The app is covered; it switches, or opens again. */
    | 'changing'
    /** The app is covered until the person decides or its chart is back. */
    | 'covered'
    /** The person goes on with the earlier chart: a bar says so. */
    | 'earlier'
  readonly isChartOpen: boolean
}

/** The reason why a message was dropped. */
export type IgnoredReason =
  | 'malformed'
  | 'unknown_source'
  | 'wrong_origin'
  | 'replayed_nonce'
  | 'too_many_hellos'
  | 'too_many_failures'
  | 'unexpected'

/** The details of an event in one frame. */
export type FrameEventDetails =
  /** A new iframe loads the Launch URL. */
  | { readonly type: 'opened' }
  /** The SDK said hello and received the session seed. */
  | { readonly type: 'handshake'; readonly version: number; readonly sdkVersion: string }
  /** The token was verified: the app has its session context. Milliseconds since 1970. */
  | { readonly type: 'context'; readonly tokenExpiresAt: number | null }
  /** Initialization failed, at the host or in the app's own page. */
  | {
      readonly type: 'refused'
      /** The reporter. `page` is the app or its SDK, before or after the hello. */
      readonly by: 'host' | 'sdk' | 'page'
      readonly step: HostStepName
      /** The error code, which is of the SDK, the app kit, the service or the app's own. */
      readonly code: string
      /** The likely cause. */
      readonly message: string
      /** The fix; empty when an earlier SDK names it in its message. */
      readonly fix: string
      /** The trace id of the service's answer, as the page names it; empty when there is none. */
      readonly traceId: string
    }
  /**
   * No step of the app for `afterMs`, and the service has visited its page and found nothing wrong, or got no
   * answer yet. It says which step has not come; the launch has not failed.
   */
  | {
      readonly type: 'waiting'
      readonly afterMs: number
      readonly step: LaunchStepName
      readonly message: string
      readonly fix: string
    }
  /** No hello yet. */
  | { readonly type: 'slow'; readonly afterMs: number }
  /** No hello, and no step of the app for `afterMs`. The launch continues: a late hello is still answered. */
  | {
      readonly type: 'hello_timeout'
      readonly afterMs: number
      /** The code is HANDSHAKE_TIMEOUT, or what a visit of the page found. */
      readonly code: string
      /** The first step of the launch that did not happen. */
      readonly step: LaunchStepName
      readonly message: string
      readonly fix: string
    }
  /** The token ends soon; the host will launch the app again in this frame. */
  | { readonly type: 'expiring'; readonly inSeconds: number }
  /** The app says that it has work that is not saved, or has none any more. */
  | { readonly type: 'unsaved_work'; readonly isUnsaved: boolean }
  /** A new launch took the place of `previous` in the same frame. */
  | {
      readonly type: 'relaunched'
      readonly previous: string
      readonly because: 'expired' | 'requested' | 'chart_changed'
    }
  /** The frame is covered or uncovered, because of the chart. */
  | { readonly type: 'chart'; readonly chart: ChartView }
  | { readonly type: 'ended'; readonly reason: EndReason }

/** An event of one frame; `launch` is the `Launch.id` of the launch. */
export type FrameEvent = FrameEventDetails & { readonly frame: OpenFrame; readonly launch: string }

export type HostEvent =
  | FrameEvent
  /** The EHR session has ended; every open frame gets its own `ended` as well. */
  | { readonly type: 'session_ended'; readonly reason: EndReason }
  /**
   * The sign-in ends at this moment (milliseconds since 1970); null when it does no more. Activity moves
   * an end of the reason `idle`, and no other.
   */
  | {
      readonly type: 'idle'
      readonly endsAt: number | null
      readonly reason: 'idle' | 'expired'
    }
  /** A message of the handshake was dropped. `frame` is null when no frame of this host sent it. */
  | {
      readonly type: 'ignored'
      readonly frame: OpenFrame | null
      readonly reason: IgnoredReason
      readonly origin: string
      readonly message: string
    }
  /** The event stream is back after a gap. */
  | { readonly type: 'resumed' }
  /** Something happened to a launch, as streamed by the service. */
  | { readonly type: 'launch'; readonly view: Launch }
  /** A call to the service failed. */
  | {
      readonly type: 'failed'
      readonly call: ServiceCall
      readonly status: number | null
      readonly code: string
      readonly message: string
      readonly traceId: string | null
    }

export type ServiceCall = 'launch' | 'introspect' | 'step' | 'end' | 'events'

/** Builds the event for a message on the channel that the handshake does not expect there. */
export const buildUnexpected = (frame: OpenFrame, origin: string): HostEvent => ({
  type: 'ignored',
  frame,
  reason: 'unexpected',
  origin,
  message: 'Dropped a message on the channel that the handshake does not expect there.',
})

// Wires a host together: the service, the frames, the handshake and the session's news. It opens
// apps and forgets them; every rule is in the file it calls. Knows no chrome.*, and of the DOM
// only iframes and window messages, so an extension page and a plain page can both be hosts.
// Contract §5.
import type { EndReason } from '@chartside/protocol/handshake'
import type { AppKind, EhrSession, LaunchView } from '@chartside/protocol/launch'
import { AppFrame, type FrameSurroundings } from './app-frame.ts'
import { type Clock, systemClock } from './clock.ts'
import { HostError } from './errors.ts'
import type { HostEvent, OpenFrame, ServiceCall } from './events.ts'
import { createFrameElement, requireLaunchUrl } from './frame-element.ts'
import { answerHellos } from './handshake.ts'
import { createServiceClient, type ServiceClient } from './service.ts'
import { followSession } from './session-events.ts'

export interface HostOptions {
  /** Base URL of the service, such as `http://localhost:4700`. */
  readonly service: string
  /** The signed-in user's session token (`st_…`); it never enters a frame. */
  readonly sessionToken: string
  readonly session: EhrSession
  onEvent(event: HostEvent): void
  /** How long a frame may stay without a hello before `hello_timeout`. Default 10,000. */
  readonly helloTimeoutMs?: number
  readonly window?: Window
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

export interface OpenOptions {
  readonly appId: string
  readonly kind: AppKind
  /** Receives the iframe; size and visibility are the caller's. */
  readonly mount: HTMLElement
}

export interface Host {
  /** Launches an app in a new iframe. Rejects with HostError; nothing is mounted then. */
  open(options: OpenOptions): Promise<OpenFrame>
  /** Closes every frame and stops listening. The EHR session itself goes on. */
  close(): void
}

export function createHost(options: HostOptions): Host {
  const { clock = systemClock, window = globalThis.window } = options
  const frames = new Set<AppFrame>()
  const closing = new AbortController()
  let over: EndReason | null = null
  let opened = 0
  // An error in the caller's own code is the page's to report. It must neither stop a launch nor
  // pass for a broken connection.
  const emit = (event: HostEvent) => {
    try {
      options.onEvent(event)
    } catch (error) {
      window.reportError(error)
    }
  }

  const service = tellFailures(
    createServiceClient({
      service: options.service,
      sessionToken: options.sessionToken,
      sessionId: options.session.id,
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    }),
    emit,
  )
  const requireSession = () => {
    if (over === 'closed') throw new HostError('closed', 'This host was closed.')
    if (over) throw new HostError('session_ended', `The EHR session is over (${over}).`)
  }
  const launch = async (appId: string, kind: AppKind) => {
    requireSession()
    const created = await service.createLaunch(appId, kind)
    requireSession()
    requireLaunchUrl(created)
    return created
  }
  const around: FrameSurroundings = {
    service,
    clock,
    hostOrigin: window.location.origin,
    helloTimeoutMs: options.helloTimeoutMs ?? 10_000,
    emit,
    launch,
    onClosed: (frame) => frames.delete(frame),
  }

  /** A frame takes only what is said of its own launch. */
  const hear = (view: LaunchView) => {
    emit({ type: 'launch', view })
    for (const frame of frames) frame.hear(view)
  }
  const stopAnswering = answerHellos(window, frames, emit)
  void followSession(
    service,
    clock,
    {
      onLaunch: hear,
      onEnded: (reason) => {
        over = reason
        for (const frame of frames) frame.end(reason)
        emit({ type: 'session_ended', reason })
      },
      onResumed: () => {
        for (const { launch } of frames) service.findLaunch(launch.id).then(hear, () => {})
      },
      onBroken: (error) => emit(failed('events', error)),
    },
    closing.signal,
  )

  return {
    open: async ({ appId, kind, mount }) => {
      const first = await launch(appId, kind)
      opened += 1
      const empty = createFrameElement(window.document, first.app)
      const frame = new AppFrame(`frame-${opened}`, kind, empty, first, around)
      // Known before it is mounted, and so before it can speak.
      frames.add(frame)
      frame.show(first)
      mount.append(frame.element)
      return frame
    },
    close: () => {
      over ??= 'closed'
      closing.abort()
      for (const frame of frames) frame.close()
      stopAnswering()
    },
  }
}

/** The same service, each failure told as an event before the caller learns of it. */
function tellFailures(service: ServiceClient, emit: (event: HostEvent) => void): ServiceClient {
  const tell =
    <A extends unknown[], R>(call: ServiceCall, act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await act(...args)
      } catch (error) {
        if (error instanceof HostError) emit(failed(call, error))
        throw error
      }
    }
  return {
    ...service,
    createLaunch: tell('launch', service.createLaunch),
    introspect: tell('introspect', service.introspect),
    reportStep: tell('step', service.reportStep),
  }
}

const failed = (call: ServiceCall, { code, message, status, traceId }: HostError): HostEvent => ({
  type: 'failed',
  call,
  code,
  message,
  status,
  traceId,
})

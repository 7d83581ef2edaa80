// Receives the window messages of all frames: finds the frame by its window, answers hellos and
// takes failure reports. Both count only from a frame of this host, on an origin of its app;
// handshake.ts decides on hellos. Contract §5 step 2; security X01, X02, X07.
import { isFailureReport, parseFailureReport } from '@chartside/protocol/failure-report'
import type { AppFrame } from './app-frame.ts'
import type { HostEvent, IgnoredReason } from './events.ts'
import { decideHello } from './handshake.ts'

/** The bound for one launch. A page in a loop must cost neither memory nor calls to the service. */
const MAX_FAILURE_REPORTS = 10

type MessageTarget = Pick<Window, 'addEventListener' | 'removeEventListener'>

/** The frames of every host in a window: an offscreen document has a host for each EHR session. */
const hosts = new WeakMap<MessageTarget, Set<ReadonlySet<AppFrame>>>()

/** Answers hellos and takes failure reports on `window` until the returned function is called. */
export function answerMessages(
  window: MessageTarget,
  frames: ReadonlySet<AppFrame>,
  emit: (event: HostEvent) => void,
): () => void {
  const together = hosts.get(window) ?? new Set()
  hosts.set(window, together.add(frames))
  const isOfAnotherHost = (source: MessageEventSource | null) =>
    [...together].some((other) => other !== frames && findFrame(other, source))
  const receive = (event: MessageEvent<unknown>) => {
    const { source, origin } = event
    const frame = findFrame(frames, source)
    // Its own host answers; for this one it is no stranger's.
    if (!frame && isOfAnotherHost(source)) return
    // Any message of a foreign document in the frame proves that the app's document is gone.
    if (frame && !frame.launch.app.origins.includes(origin)) frame.closeChannel()
    if (isFailureReport(event.data)) return receiveFailureReport(event, frame, emit)
    const decision = decideHello(event, frame)
    if (decision.kind === 'welcome') {
      decision.frame.welcome(decision.hello, decision.version, origin)
    } else if (decision.kind === 'refuse') {
      decision.frame.refuse(decision.nonce, origin, decision)
    } else if (decision.kind === 'ignore') {
      const { reason, message } = decision
      if (frame && reason === 'wrong_origin') frame.reports.foreignOrigin = origin
      emit({ type: 'ignored', frame, reason, origin, message })
    }
  }
  window.addEventListener('message', receive)
  return () => {
    together.delete(frames)
    window.removeEventListener('message', receive)
  }
}

/** A report of any other window is dropped without an event: it may come thousands of times. */
function receiveFailureReport(
  { data, origin }: MessageEvent<unknown>,
  frame: AppFrame | null,
  emit: (event: HostEvent) => void,
): void {
  if (!frame) return
  const count = frame.reports.countReceived()
  if (count > MAX_FAILURE_REPORTS + 1) return
  const ignore = (reason: IgnoredReason, why: string) => {
    emit({ type: 'ignored', frame, reason, origin, message: `Dropped a failure report: ${why}.` })
  }
  const { app } = frame.launch
  const report = parseFailureReport(data)
  if (count > MAX_FAILURE_REPORTS) {
    ignore('too_many_failures', `this launch sent ${MAX_FAILURE_REPORTS} before`)
  } else if (!app.origins.includes(origin)) {
    frame.reports.foreignOrigin = origin
    ignore('wrong_origin', `${origin} is not an origin of ${app.name}`)
  } else if (report) {
    frame.onFailureReport(report)
  } else ignore('malformed', 'its fields are not those of a report')
}

/** A frame keeps one WindowProxy through every navigation, redirect and process. */
function findFrame(frames: ReadonlySet<AppFrame>, source: MessageEventSource | null) {
  if (source === null) return null
  for (const frame of frames) if (frame.element.contentWindow === source) return frame
  return null
}

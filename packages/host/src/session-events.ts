// Follows the event stream of one EHR session, across dropped connections, until the session ends
// or the host closes. It passes events on; its listener decides what they mean. Contract §5 step 6:
// a sign-out must reach the apps within a second.
import type { EndReason } from '@chartside/protocol/handshake'
import { type Launch, parseEndReason, type SessionEvents } from '@chartside/protocol/launch'
import type { Clock } from './clock.ts'
import { HostError } from './errors.ts'
import { readEventStream, type StreamEvent } from './event-stream.ts'
import { reconnectDelay, type SaidByService } from './reconnect-delay.ts'
import type { ServiceClient } from './service.ts'

export interface SessionListener {
  onLaunch(view: Launch): void
  /** The sign-in ends at this moment unless activity follows. */
  onIdle(end: SessionEvents['idle']): void
  onEnded(reason: EndReason): void
  /** The stream is back after a gap: events of the gap are lost. */
  onResumed(): void
  /** The stream broke or could not be opened; called once per gap. */
  onBroken(error: HostError): void
}

/** The service pings every 15 s; three missed pings are a dead connection. */
const PING_TIMEOUT_MS = 45_000

export async function followSession(
  service: ServiceClient,
  clock: Clock,
  listener: SessionListener,
  closed: AbortSignal,
  random: () => number = Math.random,
): Promise<void> {
  /** True when the stream has broken since it was open last. */
  let isBroken = false
  for (let attempt = 0; !closed.aborted; ) {
    /** The service says when to come back, so that the streams of a node do not all come at once. */
    let said: SaidByService = {}
    try {
      for await (const event of connect(service, clock, closed)) {
        if (event.retryMs !== undefined) said = { retryMs: event.retryMs }
        if (attempt > 0) listener.onResumed()
        attempt = 0
        isBroken = false
        const ended = handle(event, listener)
        if (ended) return listener.onEnded(ended)
      }
    } catch (error) {
      if (closed.aborted) return
      const ended = readEnd(error)
      if (ended) return listener.onEnded(ended)
      if (error instanceof HostError) said = { retryAfterMs: error.retryAfterMs }
      // A stream that the service ends itself is not a gap yet: another node may take it.
      if (!isBroken) listener.onBroken(asHostError(error))
      isBroken = true
    }
    attempt += 1
    await wait(clock, reconnectDelay(attempt, said, random), closed)
  }
}

/** One connection, closed when no ping arrives in time. */
async function* connect(service: ServiceClient, clock: Clock, closed: AbortSignal) {
  const connection = new AbortController()
  const disconnect = () => connection.abort()
  closed.addEventListener('abort', disconnect)
  let cancel = clock.after(PING_TIMEOUT_MS, disconnect)
  try {
    for await (const event of readEventStream(await service.openEvents(connection.signal))) {
      cancel()
      cancel = clock.after(PING_TIMEOUT_MS, disconnect)
      yield event
    }
  } finally {
    cancel()
    closed.removeEventListener('abort', disconnect)
    disconnect()
  }
}

function handle({ event, data }: StreamEvent, listener: SessionListener): EndReason | null {
  if (event === 'launch') listener.onLaunch(parse<'launch'>(data))
  if (event === 'idle') listener.onIdle(parse<'idle'>(data))
  if (event === 'session') {
    const { state, ended } = parse<'session'>(data)
    return state === 'ended' ? (parseEndReason(ended?.reason) ?? 'closed') : null
  }
  return event === 'ended' ? (parseEndReason(parse<'ended'>(data).reason) ?? 'closed') : null
}

const parse = <Name extends keyof SessionEvents>(data: string): SessionEvents[Name] =>
  JSON.parse(data)

/** Refusals that end the session; any other failure is retried. */
function readEnd(error: unknown): EndReason | null {
  if (!(error instanceof HostError)) return null
  if (error.status === 401) return error.ended ?? 'signed_out'
  return error.status === 404 || error.status === 410 ? 'closed' : null
}

const asHostError = (error: unknown) =>
  error instanceof HostError
    ? error
    : new HostError('service_unreachable', 'The event stream of the service broke off.', {
        cause: error,
      })

function wait(clock: Clock, ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      closed.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    closed.addEventListener('abort', end)
  })
}

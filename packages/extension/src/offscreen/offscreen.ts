// The offscreen document: hosts the Worker apps of every EHR session, each session with a host of its
// own, and follows the event stream of each session, so that an end reaches the background at once.
// The session token stays in the memory of this document.
import { createHost, type Host, type HostEvent } from '@chartside/host'
import { shareEvents } from '../event-relay.ts'
import { hostVersion } from '../host-version.ts'
import type { HostGrant, WorkerApp } from '../messages.ts'
import { WorkerHosting } from '../worker-hosting.ts'
import type { FromOffscreen, ToOffscreen } from './offscreen-messages.ts'

interface Hosted {
  readonly host: Host
  readonly mount: HTMLElement
  readonly workers: WorkerHosting
}

const sessions = new Map<string, Hosted>()

/** The document stays for the next chart of the person, which then needs no new one. */
const IDLE_MS = 10_000
let closing: ReturnType<typeof setTimeout> | undefined

/** A document without a session is of no use: it goes by itself, also after a sign-out. */
function closeWhenIdle(): void {
  clearTimeout(closing)
  if (sessions.size === 0) closing = setTimeout(() => window.close(), IDLE_MS)
}
closeWhenIdle()

const notifyBackground = (message: FromOffscreen): void => {
  chrome.runtime.sendMessage({ to: 'background', ...message }).catch(() => {})
}

chrome.runtime.onMessage.addListener((message: unknown, sender, reply) => {
  if (!isFromBackground(message, sender)) return false
  if (message.type === 'list') reply([...sessions.keys()])
  else {
    receive(message)
    reply(true)
  }
  return false
})

/** Content scripts send messages, too: only the extension's own origin counts. */
function isFromBackground(
  message: unknown,
  { url }: chrome.runtime.MessageSender,
): message is ToOffscreen {
  return (
    url?.startsWith(chrome.runtime.getURL('')) === true &&
    (message as { to?: unknown } | null)?.to === 'offscreen'
  )
}

function receive(message: Exclude<ToOffscreen, { type: 'list' }>): void {
  if (message.type === 'host') hostSession(message.grant)
  else if (message.type === 'unhost') closeSession(message.sessionId)
  else if (message.type === 'set_chart') {
    sessions.get(message.sessionId)?.host.setChart(message.chart)
  } else sessions.get(message.sessionId)?.workers.retry(message.appId)
}

function hostSession(grant: HostGrant): void {
  const { service, sessionToken, session, launches, chart, chartKey } = grant
  // A background that starts again may ask twice.
  if (sessions.has(session.id)) return
  const mount = document.createElement('div')
  document.body.append(mount)
  const host = createHost({
    service,
    sessionToken,
    session,
    reportsActivity: false,
    version: hostVersion(),
    ...(chartKey === undefined ? {} : { chartKey }),
    openEvents: (own, signal) => shareEvents(session.id, own, signal),
    onEvent: (event) => onEvent(session.id, event),
    onState: (launch, state) => sessions.get(session.id)?.workers.onState(launch, state),
  })
  if (chart !== undefined) host.setChart(chart)
  const onWorker = (worker: WorkerApp) =>
    notifyBackground({ type: 'worker', sessionId: session.id, worker })
  const workers = new WorkerHosting({ host, mount, apps: session.apps, onWorker })
  sessions.set(session.id, { host, mount, workers })
  closeWhenIdle()
  workers.start(launches)
}

function closeSession(sessionId: string): void {
  const hosted = sessions.get(sessionId)
  sessions.delete(sessionId)
  closeWhenIdle()
  // Ended before or by the background: no launch needs an end of its own.
  hosted?.host.end('closed')
  hosted?.host.close()
  hosted?.mount.remove()
}

function onEvent(sessionId: string, event: HostEvent): void {
  const hosted = sessions.get(sessionId)
  if (!hosted) return
  hosted.workers.onEvent(event)
  if (event.type === 'session_ended') {
    closeSession(sessionId)
    notifyBackground({ type: 'ended', sessionId, reason: event.reason })
  } else if (event.type === 'failed' && event.call === 'events') {
    notifyBackground({ type: 'reachable', isOffline: true })
  } else if (event.type === 'resumed') {
    notifyBackground({ type: 'reachable', isOffline: false })
  } else if (event.type === 'idle') {
    notifyBackground({ type: 'planned', at: event.endsAt })
  }
}

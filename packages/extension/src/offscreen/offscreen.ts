// The offscreen document: hosts the Worker apps of every EHR session, each session with a host of its
// own, and follows the event stream of each session, so that an end reaches the background at once.
// The session token stays in the memory of this document.
import { createHost, type Host, type HostEvent, type LaunchState } from '@chartside/host'
import { shareEvents } from '../event-relay.ts'
import { hostVersion } from '../host-version.ts'
import type { HostGrant, SessionApp, WorkerApp } from '../messages.ts'
import type { FromOffscreen, ToOffscreen } from './offscreen-messages.ts'

interface Hosted {
  readonly host: Host
  readonly mount: HTMLElement
  readonly apps: readonly SessionApp[]
  /** The app of each launch, by `Launch.id`. */
  readonly launches: Map<string, SessionApp>
  readonly frames: Map<string, Awaited<ReturnType<Host['open']>>>
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
  } else retry(message.sessionId, message.appId)
}

function hostSession(grant: HostGrant): void {
  const { service, sessionToken, session, launches, chart, chartKey } = grant
  // A background that starts again may ask twice.
  if (sessions.has(session.id)) return
  const mount = document.createElement('div')
  document.body.append(mount)
  const apps = session.apps.filter(({ kinds }) => kinds.includes('worker'))
  const host = createHost({
    service,
    sessionToken,
    session,
    reportsActivity: false,
    version: hostVersion(),
    ...(chartKey === undefined ? {} : { chartKey }),
    openEvents: (own, signal) => shareEvents(session.id, own, signal),
    onEvent: (event) => onEvent(session.id, event),
    onState: (launch, state) => onState(session.id, launch, state),
  })
  if (chart !== undefined) host.setChart(chart)
  const hosted = { host, mount, apps, launches: new Map(), frames: new Map() }
  sessions.set(session.id, hosted)
  closeWhenIdle()
  for (const app of apps.filter(({ autoLaunch }) => autoLaunch)) {
    void open(session.id, hosted, app, launches)
  }
}

async function open(
  sessionId: string,
  { host, mount, launches, frames }: Hosted,
  app: SessionApp,
  opened: HostGrant['launches'],
): Promise<void> {
  sendWorker(sessionId, app, { kind: 'opening' })
  const launch = opened.find((one) => one.app.id === app.id)
  if (launch) launches.set(launch.id, app)
  try {
    const options = { appId: app.id, kind: 'worker', mount } as const
    const frame = await host.open(launch ? { ...options, launch } : options)
    launches.set(frame.launch.id, app)
    frames.set(app.id, frame)
    onState(sessionId, frame.launch.id, host.findState(frame.launch.id))
  } catch (error) {
    const { code = 'failed', message = '' } = error as { code?: string; message?: string }
    const failed = { kind: 'failed', code, cause: message, fix: '' } as const
    sendWorker(sessionId, app, code === 'app_not_available' ? { kind: 'disabled' } : failed)
  }
}

function retry(sessionId: string, appId: string): void {
  const hosted = sessions.get(sessionId)
  const app = hosted?.apps.find(({ id }) => id === appId)
  if (!hosted || !app) return
  const frame = hosted.frames.get(appId)
  if (!frame) return void open(sessionId, hosted, app, [])
  sendWorker(sessionId, app, { kind: 'opening' })
  frame.reload().catch((error: { code?: string; message?: string }) => {
    const { code = 'failed', message = '' } = error
    sendWorker(sessionId, app, { kind: 'failed', code, cause: message, fix: '' })
  })
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
  if (event.type === 'relaunched') {
    const app = hosted.launches.get(event.previous)
    if (app) hosted.launches.set(event.launch, app)
    onState(sessionId, event.launch, hosted.host.findState(event.launch))
  } else if (event.type === 'session_ended') {
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

function onState(sessionId: string, launch: string, state: LaunchState): void {
  const app = sessions.get(sessionId)?.launches.get(launch)
  if (app) sendWorker(sessionId, app, readState(state))
}

function readState(state: LaunchState): WorkerApp['state'] {
  switch (state.kind) {
    case 'ready':
      return { kind: 'ready' }
    case 'failed': {
      const { code, cause, fix } = state
      return { kind: 'failed', code, cause, fix }
    }
    case 'ended':
      return { kind: 'ended', reason: state.reason }
    case 'disabled':
      return { kind: 'disabled' }
    default:
      return { kind: 'opening' }
  }
}

function sendWorker(sessionId: string, app: SessionApp, state: WorkerApp['state']): void {
  const { id: appId, name, iconUrl } = app
  const worker = iconUrl === undefined ? { appId, name, state } : { appId, name, iconUrl, state }
  notifyBackground({ type: 'worker', sessionId, worker })
}

// The script of the sample EHR page: sign in, open an EHR session, let the host launch the apps,
// draw the timeline, sign out. Owns the wiring and the page's three states (fresh, signed-in,
// signed-out). Contract §3, §5.
import { createHost, explainSessionEnd, type Host, type HostEvent } from '@chartside/host'
import type { PageConfig } from '../page.ts'
import { showAddApp } from './add-app.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { type AppNotice, createAppProblems, followApps } from './app-notices.ts'
import { createDrawers } from './drawers.ts'
import { button, byId } from './elements.ts'
import { createFaultMenu } from './fault-menu.ts'
import { createIdleNotice } from './idle-notice.ts'
import { Panel } from './panel.ts'
import { forgetSession, restoreSession, saveSession } from './saved-session.ts'
import { type OpenedSession, openSession, signIn, signOut } from './service.ts'
import { startSignIn } from './sign-in.ts'
import { Timeline } from './timeline.ts'
import { startTimelineView } from './timeline-view.ts'

const config = JSON.parse(document.body.dataset.config ?? '{}') as PageConfig
const signOutButton = byId('sign-out', HTMLButtonElement)
const user = byId('user', HTMLElement)

const STILL_SIGNED_IN = 'You are still signed in at the service; try again.'

interface OpenSession extends OpenedSession {
  readonly host: Host
  readonly panel: Panel
}

let open: OpenSession | null = null

const timeline = new Timeline()
const faults = createFaultMenu({
  reloadFrame: () => open?.panel.reloadFrame(),
  signOut: () => void endSession(),
  launchAgain: () => open?.panel.launchAgain(),
})
const idleNotice = createIdleNotice(async () => open?.host.stay())
const problems = createAppProblems()
const addApp = button('Add an app…', () => showAddApp(({ appId }) => void openAnew(appId)))
const view = startTimelineView(timeline, addApp, [faults.element, problems.element])
const drawers = createDrawers({
  onPanel: (isOpen) => {
    updateAddressBar({ panel: isOpen ? 'open' : 'closed' })
    open?.panel.show(isOpen)
  },
})
const card = startSignIn(config, (choice) => {
  signIn(config.serviceUrl, choice)
    .then(beginSession)
    .catch((error: unknown) => {
      card.showProblem(error instanceof Error ? error.message : 'Signing in failed.')
    })
})

signOutButton.addEventListener('click', () => void endSession())
/** The newest of each app: the server sends what it has before a sign-in. */
const notices = new Map<string, AppNotice>()
followApps((notice) => {
  notices.set(notice.appId, { ...notice, isNew: false })
  showNotice(notice)
})
void restore()

function showNotice(notice: AppNotice): void {
  const app = open?.panel.onNotice(notice)
  if (app) problems.show(app, notice)
}

async function beginSession(signedIn: OpenedSession): Promise<void> {
  saveSession(signedIn)
  await faults.begin(signedIn.session.id)
  open?.host.close()
  const host = createHost({
    service: config.serviceUrl,
    sessionToken: signedIn.token,
    session: signedIn.session,
    version: 'Sandbox',
    onEvent: onHostEvent,
    onState: (launch, state) => {
      open?.panel.setState(launch, state)
      timeline.setState(launch, state)
      view.update(launch)
    },
  })
  const panel = new Panel(host, signedIn.session, (app) => view.follow(app))
  open = { ...signedIn, host, panel }
  showState('signed-in')
  user.textContent = `${signedIn.user.name}, ${signedIn.session.account.name}`
  panel.show(drawers.isPanelOpen(readAddressBar().panel))
  panel.start()
  for (const notice of notices.values()) if (notice.state === 'stopped') showNotice(notice)
  for (const element of document.querySelectorAll('.workspace > *')) element.scrollTop = 0
  window.scrollTo(0, 0)
  byId('main', HTMLElement).focus({ preventScroll: true })
}

/** After a reload of the page. The launches of the page before stay on the timeline. */
async function restore(): Promise<void> {
  const restored = await restoreSession(config.serviceUrl, config.ehrType)
  if (!restored) return
  for (const launch of restored.launches) {
    timeline.restore(launch, Date.now())
    view.update(launch.id)
  }
  await beginSession(restored)
}

/** A session has the apps that were published when it was opened. */
async function openAnew(appId: string): Promise<void> {
  if (!open) return
  const { token, user, session } = open
  const { account, ehrType } = session
  const next = await openSession(config.serviceUrl, token, account.id, ehrType)
  await beginSession({ token, user, session: next })
  open.panel.select(appId)
}

async function endSession(): Promise<void> {
  if (!open) return
  signOutButton.disabled = true
  // The service ends the session and notifies the host, which notifies the apps (contract §5).
  try {
    if (!(await signOut(config.serviceUrl, open.token))) open.host.close()
  } catch {
    user.textContent = STILL_SIGNED_IN
    byId('announcer', HTMLElement).textContent = STILL_SIGNED_IN
    return
  } finally {
    signOutButton.disabled = false
  }
  showState('signed-out')
  card.reset()
}

function onHostEvent(event: HostEvent): void {
  if (event.type === 'idle') idleNotice.show(event.endsAt, event.reason)
  if (event.type === 'expiring') open?.panel.showExpiring(event.launch, event.inSeconds)
  const changed = timeline.apply(event, Date.now())
  if (changed) view.update(changed)
  if (event.type === 'session_ended' && document.body.dataset.state === 'signed-in') {
    showState('signed-out')
    card.showProblem(explainSessionEnd(event.reason))
  }
}

function showState(state: 'signed-in' | 'signed-out'): void {
  const isSignedIn = state === 'signed-in'
  document.body.dataset.state = state
  for (const element of [signOutButton, user]) element.hidden = !isSignedIn
  addApp.disabled = !isSignedIn
  drawers.showButtons(isSignedIn)
  if (isSignedIn) return
  forgetSession()
  faults.end()
  open?.panel.end()
}

// The script of the sandbox page: sign in, open an EHR session, let the panel launch the apps beside the EHR in
// its frame, draw the timeline, sign out. Owns the wiring and the page's three states (fresh, signed-in,
// signed-out). Contract §3, §5, §11.
import {
  type EndReason,
  explainSessionEnd,
  type HostEvent,
  type LaunchState,
} from '@chartside/host'
import { findChart } from '@chartside/protocol/charts'
import type { PageConfig } from '../sandbox-page.ts'
import { showAddApp } from './add-app.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { type AppNotice, createAppProblems, followApps } from './app-notices.ts'
import { createChartFrame } from './chart-frame.ts'
import { createDrawers } from './drawers.ts'
import { button, byId } from './elements.ts'
import { createFaultMenu } from './fault-menu.ts'
import { PanelBackground } from './panel-background.ts'
import { forgetSession, restoreSession, saveSession } from './saved-session.ts'
import { closeSession, type OpenedSession, openSession, signIn, signOut } from './service.ts'
import { startSignIn } from './sign-in.ts'
import { Timeline } from './timeline.ts'
import { startTimelineView } from './timeline-view.tsx'

const config = JSON.parse(document.body.dataset.config ?? '{}') as PageConfig
const signOutButton = byId('sign-out', HTMLButtonElement)
const user = byId('user', HTMLElement)

const STILL_SIGNED_IN = 'You are still signed in at the service; try again.'
/** The time is within the rest that the host waits for before it acts. */
const FLIP_MS = 120

let open: OpenedSession | null = null

const timeline = new Timeline()
const faults = createFaultMenu({
  reloadFrame,
  flipCharts: () => void flipCharts(),
  signOut: () => void endSession(),
  launchAgain: () => panel.launchAllAgain(),
})
const problems = createAppProblems()
const addApp = button('Add an app…', () => showAddApp(({ appId }) => void openAnew(appId)))
const view = startTimelineView({
  timeline,
  console: `${config.serviceUrl}/console`,
  errors: `${config.serviceUrl}/docs/errors`,
  action: addApp,
  controls: [faults.element, problems.element],
})
const panel = new PanelBackground({
  service: config.serviceUrl,
  ehrName: config.ehrs.find(({ ehrType }) => ehrType === config.ehrType)?.name ?? config.ehrType,
  onEvent: onHostEvent,
  onState: (launch: string, state: LaunchState) => {
    timeline.setState(launch, state)
    view.update()
  },
  onShow: (appId) => view.follow(appId),
  onSignOut: () => void endSession(),
})
const chart = createChartFrame(byId('ehr', HTMLIFrameElement), (address) => {
  const path = address.slice(location.origin.length)
  updateAddressBar({ chart: path === config.chart ? null : path })
  panel.setChart(readChart())
})
const drawers = createDrawers({
  onPanel: (isOpen) => {
    updateAddressBar({ panel: isOpen ? 'open' : 'closed' })
    showPanel(isOpen)
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
  const before = notices.get(notice.appId)
  notices.set(notice.appId, notice)
  showNotice(notice)
  if (notice.state === 'running' && (notice.isNew || before?.state === 'stopped')) {
    const isOpened = panel.launchAgain(notice.appId)
    if (!isOpened) problems.showNewVersion(notice.appId)
  }
})
void restore()

function showNotice(notice: AppNotice): void {
  const app = panel.apps.find(({ id }) => id === notice.appId)
  if (app) problems.show(app.name, notice)
}

function showPanel(isOpen: boolean): void {
  byId('apps', HTMLElement).hidden = !isOpen
  panel.show(isOpen)
}

const readChart = () => findChart(open?.session.ehr?.charts ?? [], chart.address)

async function beginSession(signedIn: OpenedSession): Promise<void> {
  const chartKey = saveSession(signedIn)
  await faults.begin(signedIn.session.id)
  // The panel ends the session before; that is no end of this one.
  open = null
  panel.begin(signedIn, chartKey)
  open = signedIn
  showState('signed-in')
  user.textContent = `${signedIn.user.name}, ${signedIn.session.account.name}`
  const { panel: wanted, chart: path } = readAddressBar()
  chart.open(path?.startsWith(`/${config.ehrType}/`) ? path : config.chart)
  showPanel(drawers.isPanelOpen(wanted))
  for (const notice of notices.values()) showNotice(notice)
  window.scrollTo(0, 0)
  byId('main', HTMLElement).focus({ preventScroll: true })
}

/** Restores the session after a reload of the page. The launches of the page before stay on the timeline. */
async function restore(): Promise<void> {
  const restored = await restoreSession(config.serviceUrl, config.ehrType)
  if (!restored) return
  for (const launch of restored.launches) timeline.restore(launch, Date.now())
  view.update()
  await beginSession(restored)
}

/** A session has the apps that were published when it was opened. */
async function openAnew(appId: string): Promise<void> {
  if (!open) return
  const { token, user, session } = open
  const { account, ehrType } = session
  const next = await openSession(config.serviceUrl, token, account.id, ehrType)
  await beginSession({ token, user, session: next })
  await closeSession(config.serviceUrl, token, session.id)
  panel.select(appId)
}

async function endSession(): Promise<void> {
  if (!open) return
  signOutButton.disabled = true
  // The service ends the session and notifies the host, which notifies the apps (contract §5).
  try {
    await signOut(config.serviceUrl, open.token)
  } catch {
    user.textContent = STILL_SIGNED_IN
    byId('announcer', HTMLElement).textContent = STILL_SIGNED_IN
    return
  } finally {
    signOutButton.disabled = false
  }
  showEnd('signed_out')
  card.reset()
}

function onHostEvent(event: HostEvent): void {
  if (timeline.apply(event, Date.now())) view.update()
  if (event.type !== 'session_ended' || !open) return
  showEnd(event.reason)
  card.showProblem(explainSessionEnd(event.reason))
}

function showEnd(reason: EndReason): void {
  open = null
  showState('signed-out')
  panel.end(reason)
}

function showState(state: 'signed-in' | 'signed-out'): void {
  const isSignedIn = state === 'signed-in'
  document.body.dataset.state = state
  for (const element of [signOutButton, user]) element.hidden = !isSignedIn
  addApp.disabled = !isSignedIn
  drawers.showButtons(isSignedIn)
  if (isSignedIn) return
  chart.close()
  forgetSession()
  faults.end()
}

/**
 * The same Launch URL again, as a reload by hand: the code of the app is used already. Replaces the
 * history entry, so that Back still leaves the page.
 */
function reloadFrame(): void {
  const element = document.querySelector<HTMLIFrameElement>('#frames .place:not([hidden]) iframe')
  element?.contentWindow?.location.replace(element.src)
}

/** Opens another chart, and goes back before anyone could read it: real EHRs close one context before the next. */
async function flipCharts(): Promise<void> {
  panel.setChart('another chart')
  await new Promise((resolve) => setTimeout(resolve, FLIP_MS))
  panel.setChart(readChart())
}

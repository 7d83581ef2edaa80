// The script of the sample EHR page: sign in, open an EHR session, let the host launch the apps,
// draw the timeline, sign out. Owns the wiring and the page's three states (fresh, signed-in,
// signed-out); keeps the session token in memory only. Contract §3, §5.
import { createHost, type Host, type HostEvent } from '@chartside/host'
import type { PageConfig } from '../page.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { byId } from './elements.ts'
import { createFaultMenu } from './fault-menu.ts'
import { Panel } from './panel.ts'
import { type OpenedSession, type SignInChoice, signIn, signOut } from './service.ts'
import { startSignIn } from './sign-in.ts'
import { Timeline } from './timeline.ts'
import { startTimelineView } from './timeline-view.ts'

const config = JSON.parse(document.body.dataset.config ?? '{}') as PageConfig
const toggle = byId('panel-toggle', HTMLButtonElement)
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
const view = startTimelineView(timeline, faults.element)
const card = startSignIn(config, (choice) => {
  beginSession(choice).catch((error: unknown) => {
    card.showProblem(error instanceof Error ? error.message : 'Signing in failed.')
  })
})

toggle.addEventListener('click', () => {
  showPanel(toggle.getAttribute('aria-expanded') !== 'true')
})
signOutButton.addEventListener('click', () => void endSession())

async function beginSession(choice: SignInChoice): Promise<void> {
  const signedIn = await signIn(config.serviceUrl, choice)
  await faults.begin(signedIn.session.id)
  open?.host.close()
  const host = createHost({
    service: config.serviceUrl,
    sessionToken: signedIn.token,
    session: signedIn.session,
    onEvent: onHostEvent,
    onState: (launch, state) => {
      open?.panel.setState(launch, state)
      timeline.setState(launch, state)
      view.update(launch)
    },
  })
  const panel = new Panel(host, signedIn.session)
  open = { ...signedIn, host, panel }
  showState('signed-in')
  user.textContent = `${signedIn.user.name}, ${signedIn.session.account.name}`
  showPanel(readAddressBar().panel === 'open')
  panel.start()
  byId('main', HTMLElement).focus({ preventScroll: true })
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
  if (event.type === 'expiring') open?.panel.showExpiring(event.launch, event.inSeconds)
  const changed = timeline.apply(event, Date.now())
  if (changed) view.update(changed)
  if (event.type === 'session_ended' && document.body.dataset.state === 'signed-in') {
    showState('signed-out')
    card.showProblem('The EHR session ended. Sign in again to continue.')
  }
}

function showState(state: 'signed-in' | 'signed-out'): void {
  const isSignedIn = state === 'signed-in'
  document.body.dataset.state = state
  for (const element of [toggle, signOutButton, user]) element.hidden = !isSignedIn
  byId('timeline', HTMLElement).hidden = false
}

function showPanel(isOpen: boolean): void {
  toggle.setAttribute('aria-expanded', String(isOpen))
  updateAddressBar({ panel: isOpen ? 'open' : 'closed' })
  open?.panel.show(isOpen)
}

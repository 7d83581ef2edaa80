// The sample EHR page, in the order of its story: sign in, open an EHR session, let the real host
// launch the apps, draw what happens, sign out. Owns the wiring and the page's three states (fresh,
// signed-in, signed-out); keeps the session token in memory only. Contract §3, §5.
import { createHost, type Host, type HostEvent } from '@chartside/host'
import type { PageConfig } from '../page.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { byId } from './elements.ts'
import { createFaultMenu } from './fault-menu.ts'
import { createPanel, type Panel } from './panel.ts'
import { type SignedIn, type SignInChoice, signIn, signOut } from './service.ts'
import { startSignIn } from './sign-in.ts'
import { Timeline } from './timeline.ts'
import { startTimelineView } from './timeline-view.ts'

const config = JSON.parse(document.body.dataset.config ?? '{}') as PageConfig
const toggle = byId('panel-toggle', HTMLButtonElement)
const leave = byId('sign-out', HTMLButtonElement)
const who = byId('who', HTMLElement)

const STILL_SIGNED_IN = 'You are still signed in at the service; try again.'

interface Visit extends SignedIn {
  readonly host: Host
  readonly panel: Panel
}

let visit: Visit | null = null

const timeline = new Timeline()
const faults = createFaultMenu({
  reloadFrame: () => visit?.panel.reloadFrame(),
  signOut: () => void endVisit(),
  launchAgain: () => visit?.panel.launchAgain(),
})
const view = startTimelineView(timeline, faults.element)
const card = startSignIn(config, (choice) => {
  beginVisit(choice).catch((error: unknown) => {
    card.showProblem(error instanceof Error ? error.message : 'Signing in failed.')
  })
})

toggle.addEventListener('click', () => {
  showPanel(toggle.getAttribute('aria-expanded') !== 'true')
})
leave.addEventListener('click', () => void endVisit())

async function beginVisit(choice: SignInChoice): Promise<void> {
  const signedIn = await signIn(config.serviceUrl, choice)
  await faults.prepare()
  visit?.host.close()
  const host = createHost({
    service: config.serviceUrl,
    sessionToken: signedIn.token,
    session: signedIn.session,
    onEvent: hear,
  })
  const panel = createPanel(host, signedIn.session)
  visit = { ...signedIn, host, panel }
  showState('signed-in')
  who.textContent = `${signedIn.user.name}, ${signedIn.session.account.name}`
  showPanel(readAddressBar().panel === 'open')
  panel.start()
  byId('main', HTMLElement).focus({ preventScroll: true })
}

async function endVisit(): Promise<void> {
  if (!visit) return
  leave.disabled = true
  // The service ends the session and tells the host, which tells the apps (contract §5).
  try {
    if (!(await signOut(config.serviceUrl, visit.token))) visit.host.close()
  } catch {
    who.textContent = STILL_SIGNED_IN
    byId('announcer', HTMLElement).textContent = STILL_SIGNED_IN
    return
  } finally {
    leave.disabled = false
  }
  showState('signed-out')
  card.reset()
}

function hear(event: HostEvent): void {
  visit?.panel.hear(event)
  const changed = timeline.apply(event, Date.now())
  if (changed) view.update(changed)
  if (event.type === 'session_ended' && document.body.dataset.state === 'signed-in') {
    showState('signed-out')
    card.showProblem('The EHR session ended. Sign in again to go on.')
  }
}

function showState(state: 'signed-in' | 'signed-out'): void {
  const isSignedIn = state === 'signed-in'
  document.body.dataset.state = state
  for (const element of [toggle, leave, who]) element.hidden = !isSignedIn
  byId('timeline', HTMLElement).hidden = false
}

function showPanel(isOpen: boolean): void {
  toggle.setAttribute('aria-expanded', String(isOpen))
  updateAddressBar({ panel: isOpen ? 'open' : 'closed' })
  visit?.panel.show(isOpen)
}

// The panel document of one tab: connects the panel to the background, opens hosts that share the event
// stream of the offscreen document, and asks the browser for what only it can give.
import { createHost } from '@chartside/host'
import { followShared } from '../event-relay.ts'
import { hostVersion } from '../host-version.ts'
import { connectToBackground } from '../panel-connection.ts'
import type { AccessRefusal } from './pages.ts'
import { PanelPage } from './panel-page.tsx'

const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const
/** The background reports once a minute. */
const ACTIVITY_INTERVAL_MS = 15_000

const root = document.getElementById('panel')
const frames = document.getElementById('frames')
if (!root || !frames) throw new Error('The page has no #panel or no #frames.')

const connection = connectToBackground((message) => panel.receive(message))
const panel = new PanelPage({
  ...{ root, frames },
  send: (command) => connection.send(command),
  createHost: ({ service, sessionToken, session, chartKey }, listener) =>
    createHost({
      ...{ service, sessionToken, session, ...listener },
      ...(chartKey === undefined ? {} : { chartKey }),
      // The background reports that of every page and panel.
      reportsActivity: false,
      version: hostVersion(),
      openEvents: (own, signal) => followShared(session.id, own, signal),
    }),
  act: (action) => {
    if (action.type === 'allow') askForAccess(action.ehrName, action.origins)
    else chrome.sidePanel.open({ tabId: action.tabId }).catch(() => {})
  },
})

/** In the turn of the click. The background notices what the person granted. */
function askForAccess(ehrName: string, origins: readonly string[]): void {
  const refuse = (by: AccessRefusal['by']) => panel.showRefusal({ ehrName, by })
  panel.showRefusal(null)
  chrome.permissions.request({ origins: [...origins] }).then(
    (isGranted) => isGranted || refuse('person'),
    () => refuse('browser'),
  )
}

if (!new URLSearchParams(location.search).has('tab')) {
  void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
    panel.activeTab = tab?.id ?? null
    chrome.tabs.onActivated.addListener(({ tabId, windowId }) => {
      if (windowId === tab?.windowId) panel.activeTab = tabId
    })
  })
}

let activeAt = Number.NEGATIVE_INFINITY
function onActivity({ isTrusted }: Event): void {
  const at = performance.now()
  if (!isTrusted || (at - activeAt < ACTIVITY_INTERVAL_MS && !panel.isWarned)) return
  activeAt = at
  connection.send({ type: 'activity' })
}
for (const type of ACTIVITY) addEventListener(type, onActivity, { capture: true, passive: true })
// The host ends its launches by itself: nothing is left for the background.
addEventListener('pagehide', () => connection.send({ type: 'launches', launches: [] }))

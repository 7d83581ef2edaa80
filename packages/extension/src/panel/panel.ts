// The panel document of one tab: connects the panel to the background, opens hosts that share the event
// stream of the offscreen document, and asks the browser for what only it can give.
import { createHost } from '@chartside/host'
import { followShared } from '../event-relay.ts'
import { hostVersion } from '../host-version.ts'
import { connectToBackground } from '../panel-connection.ts'
import { EmbeddedPanels } from './embedded-panels.ts'
import type { AccessRefusal } from './pages.ts'
import { PanelPage } from './panel-page.tsx'
import { followTabInFront } from './tab-in-front.ts'

const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const
/** The background reports once a minute. */
const ACTIVITY_INTERVAL_MS = 15_000

const root = document.getElementById('panel')
const frames = document.getElementById('frames')
if (!root || !frames) throw new Error('The page has no #panel or no #frames.')

const isOfWindow = !new URLSearchParams(location.search).has('tab')
const embedded = isOfWindow ? createEmbedded(root) : null
const connection = connectToBackground((message) => {
  panel.receive(message)
  if (message.type === 'state') embedded?.show(message.state)
})
const panel = new PanelPage({
  ...{ root, frames, version: hostVersion() },
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
    askForAccess(action.ehrName, action.origins)
  },
})

/** Asks for the access in the turn of the click. The background notices what the person granted. */
function askForAccess(ehrName: string, origins: readonly string[]): void {
  const refuse = (by: AccessRefusal['by']) => panel.showRefusal({ ehrName, by })
  panel.showRefusal(null)
  chrome.permissions.request({ origins: [...origins] }).then(
    (isGranted) => isGranted || refuse('person'),
    () => refuse('browser'),
  )
}

/** Creates the panels of tabs, which only the panel of a window has. */
function createEmbedded(beside: HTMLElement): EmbeddedPanels {
  const embedded = new EmbeddedPanels(document.body, beside)
  const { onActivated, onRemoved, onDetached, onReplaced } = chrome.tabs
  const findWindow = () => chrome.windows.getCurrent({ populate: true })
  void followTabInFront(
    { onActivated, onRemoved, onDetached, onReplaced, findWindow },
    {
      onFront: (tabId) => embedded.activate(tabId),
      onGone: (tabId) => embedded.remove(tabId),
    },
  )
  return embedded
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
